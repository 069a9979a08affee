import { createSettings } from "@acp/core/agent";
import { createAgent } from "@acp/core";
import { describe, expect, test } from "vitest";

import { configOptions, modes } from "../support/samples.ts";
import { collect } from "./harness/collect.ts";
import { type OurClient, rawAgent, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";

const done = { stopReason: "end_turn" } as const;
const values = [
  { value: "small", name: "Small" },
  { value: "large", name: "Large" },
];
const model = {
  type: "select",
  id: "model",
  name: "Model",
  category: "model",
  currentValue: "small",
  options: values,
} as const;
const web = { type: "boolean", id: "web", name: "Web", currentValue: false } as const;
const bothModes = {
  currentModeId: "ask",
  availableModes: [
    { id: "ask", name: "Ask" },
    { id: "code", name: "Code" },
  ],
};
const booleans = { session: { configOptions: { boolean: {} } } };

/** An agent with modes and options that waits in its turns until it is asked something. */
function adjustable(): ReturnType<typeof createAgent> {
  const settings = createSettings({ modes: bothModes, configOptions: [model, web] });
  return createAgent({
    info: { name: "agent", version: "1.0.0" },
    handlers: {
      ...settings.handlers,
      "session/prompt": async (_, { session, client }) => {
        await client.request("_continue", {});
        await settings.set(session, "mode", "code");
        return done;
      },
    },
  });
}

/** A session of a client of ours whose agent told this when it was opened. */
async function opened(
  told: object,
): Promise<OurClient & { readonly session: Awaited<ReturnType<OurClient["agent"]["newSession"]>> }> {
  const client = await rawAgent(clientWith({}, booleans), {
    "session/new": { sessionId: "session-1", ...told },
    "session/set_mode": {},
    "session/set_config_option": { configOptions },
  });
  return { ...client, session: await client.agent.newSession({ cwd: "/project" }) };
}

describe("an agent", () => {
  test("MODE-01, CONF-01, CONF-11: sends modes and options, each with a value that it offers", async () => {
    const peer = await rawClient(adjustable());
    await peer.initialize(booleans);
    const { result } = await peer.call("session/new", { cwd: "/project", mcpServers: [] });
    expect(result.modes.availableModes.map(({ id }: { id: string }) => id)).toContain(result.modes.currentModeId);
    expect(result.configOptions.map(({ id }: { id: string }) => id).toSorted()).toEqual(["mode", "model", "web"]);
    for (const { type, currentValue, options } of result.configOptions) {
      if (type === "boolean") expect(typeof currentValue).toBe("boolean");
      else expect(options.map(({ value }: { value: string }) => value)).toContain(currentValue);
    }
  });

  test("CONF-11: cannot declare an option without a value, nor one that it does not offer", () => {
    // @ts-expect-error: the types want one.
    expect(() => createSettings({ configOptions: [{ ...model, currentValue: undefined }] })).toThrow(
      /CONF-11|currentValue/u,
    );
    expect(() => createSettings({ configOptions: [{ ...model, currentValue: "huge" }] })).toThrow(/CONF-11/u);
  });

  test("CONF-09: names categories of its own with an underscore, and cannot make up others", () => {
    const inCategory = (category: string) => () => createSettings({ configOptions: [{ ...model, category }] });
    for (const category of ["model", "model_config", "thought_level", "_mood"])
      expect(inCategory(category)).not.toThrow();
    for (const category of ["mood", "Model", ""]) expect(inCategory(category)).toThrow(/CONF-09/u);
  });

  test("MODE-02, CONF-13: refuses values that it does not offer", async () => {
    const peer = await rawClient(adjustable());
    const sessionId = await peer.open(booleans);
    const codes = [
      await peer.call("session/set_mode", { sessionId, modeId: "yolo" }),
      await peer.call("session/set_config_option", { sessionId, configId: "model", value: "huge" }),
      await peer.call("session/set_config_option", { sessionId, configId: "colour", value: "red" }),
      await peer.call("session/set_config_option", { sessionId, configId: "web", value: true }),
    ].map(({ error }) => error?.code);
    expect(codes).toEqual([-32602, -32602, -32602, -32602]);
    const marked = { sessionId, configId: "web", type: "boolean", value: true };
    expect((await peer.call("session/set_config_option", marked)).error).toBeUndefined();
  });

  test("MODE-03: answers session/set_mode with an empty object", async () => {
    const peer = await rawClient(adjustable());
    const sessionId = await peer.open();
    expect((await peer.call("session/set_mode", { sessionId, modeId: "code" })).result).toEqual({});
  });

  test("MODE-04, MODE-05, CONF-14, CONF-15, CONF-16: takes changes during a turn, and makes its own", async () => {
    const peer = await rawClient(adjustable());
    const sessionId = await peer.open(booleans);
    const prompt = peer.startPrompt(sessionId);
    const waiting = await peer.next("_continue");
    expect((await peer.call("session/set_mode", { sessionId, modeId: "code" })).result).toEqual({});
    expect((await peer.call("session/set_mode", { sessionId, modeId: "ask" })).result).toEqual({});
    const changed = await peer.call("session/set_config_option", { sessionId, configId: "model", value: "large" });
    const now = changed.result.configOptions.map((option: typeof model) => [option.id, option.currentValue]);
    expect(Object.fromEntries(now)).toEqual({ mode: "ask", model: "large", web: false });
    const before = peer.updates.length;
    peer.reply(waiting, {});
    await peer.answerTo(prompt);
    const own = peer.updates.slice(before);
    expect(own.find(({ sessionUpdate }) => sessionUpdate === "current_mode_update")).toEqual({
      sessionUpdate: "current_mode_update",
      currentModeId: "code",
    });
    const told = own.find(({ sessionUpdate }) => sessionUpdate === "config_option_update")?.["configOptions"];
    expect((told as (typeof model)[]).map(({ id }) => id).toSorted()).toEqual(["mode", "model", "web"]);
  });

  test("MODE-06: asks for permission before a tool changes the mode, as for any other", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        const call = await turn.toolCall({ title: "Ready to code", kind: "switch_mode", status: "pending" });
        const outcome = await call.requestPermission();
        await call.update({ status: outcome.outcome === "selected" ? "completed" : "failed" });
        return done;
      }),
    );
    const prompt = peer.startPrompt(await peer.open());
    const asked = await peer.next("session/request_permission");
    expect(peer.updates).toMatchObject([{ kind: "switch_mode", toolCallId: asked.params.toolCall.toolCallId }]);
    peer.reply(asked, { outcome: { outcome: "cancelled" } });
    await peer.answerTo(prompt);
    expect(peer.updates[1]).toMatchObject({ status: "failed" });
  });

  test.each([
    [booleans, ["mode", "model", "web"]],
    [{}, ["mode", "model"]],
  ])("CONF-05, CONF-06: offers a client that advertised %j the options %j", async (capabilities, expected) => {
    const peer = await rawClient(adjustable());
    await peer.initialize(capabilities);
    const { result } = await peer.call("session/new", { cwd: "/project", mcpServers: [] });
    expect(result.configOptions.map(({ id }: { id: string }) => id).toSorted()).toEqual(expected);
  });

  test("CONF-17: keeps modes and the option of that category in step", async () => {
    const peer = await rawClient(adjustable());
    const sessionId = await peer.open();
    const { result } = await peer.call("session/set_config_option", { sessionId, configId: "mode", value: "code" });
    expect(result.configOptions.find(({ id }: { id: string }) => id === "mode").currentValue).toBe("code");
    await peer.settle();
    expect(peer.updates).toEqual([{ sessionUpdate: "current_mode_update", currentModeId: "code" }]);
    await peer.call("session/set_mode", { sessionId, modeId: "ask" });
    await peer.settle();
    const told = peer.updates.at(-1)?.["configOptions"] as
      | readonly { readonly id: string; readonly currentValue: string }[]
      | undefined;
    expect(told?.find(({ id }) => id === "mode")?.currentValue).toBe("ask");
  });
});

describe("a client", () => {
  test("MODE-02: sets no mode that was not offered", async () => {
    const { peer, session } = await opened({ modes });
    await expect(session.setMode("yolo")).rejects.toMatchObject({ code: "usage" });
    await session.setMode("code");
    expect(peer.calls("session/set_mode").map(({ params }) => params.modeId)).toEqual(["code"]);
  });

  test("MODE-04, CONF-16: changes mode and options during a turn, and takes the agent's changes", async () => {
    const { peer, session } = await opened({ modes, configOptions });
    const turn = session.prompt("hi");
    const prompt = await peer.next("session/prompt");
    await session.setMode("code");
    await session.setConfigOption("model", "large");
    const update = { sessionUpdate: "current_mode_update", currentModeId: "ask" };
    peer.notify("session/update", { sessionId: session.id, update });
    peer.reply(prompt, done);
    expect(await collect(turn.updates)).toEqual([update]);
    expect(session.modes?.currentModeId).toBe("ask");
    // Between turns as well.
    peer.notify("session/update", { sessionId: session.id, update: { ...update, currentModeId: "code" } });
    await peer.settle();
    expect(session.modes?.currentModeId).toBe("code");
  });

  test("CONF-03: keeps options in the order of the agent", async () => {
    const { peer, session } = await opened({ configOptions });
    const ids = (): readonly string[] | undefined => session.configOptions?.map(({ id }) => id);
    expect(ids()).toEqual(["model", "effort", "web"]);
    const update = { sessionUpdate: "config_option_update", configOptions: configOptions.toReversed() };
    peer.notify("session/update", { sessionId: session.id, update });
    await peer.settle();
    expect(ids()).toEqual(["web", "effort", "model"]);
  });

  test("CONF-08: takes options without a category, and of one that it does not know", async () => {
    const { category: _none, ...plain } = model;
    const strange = { ...model, id: "mood", category: "_mood" };
    const unknown = { ...model, id: "other", category: "from_the_future" };
    const { session, diagnostics } = await opened({ configOptions: [plain, strange, unknown] });
    expect(session.configOptions).toEqual([plain, strange, unknown]);
    expect(diagnostics).toEqual([]);
  });

  test("CONF-09: takes the categories of the protocol and those of the agent alike", async () => {
    const options = ["mode", "model", "model_config", "thought_level", "_mood"].map((category, index) => ({
      ...model,
      id: `option-${index}`,
      category,
    }));
    expect((await opened({ configOptions: options })).session.configOptions).toEqual(options);
  });

  test("CONF-12: leaves out an option of an unknown type, and keeps the others", async () => {
    const { session, diagnostics } = await opened({ configOptions: [{ ...model, type: "slider" }, web] });
    expect(session.configOptions).toEqual([web]);
    expect(diagnostics).toMatchObject([{ type: "tolerated" }]);
  });

  test("CONF-13: sets listed values, and marks booleans", async () => {
    const { peer, session } = await opened({ configOptions: [model, web] });
    await expect(session.setConfigOption("model", "huge")).rejects.toMatchObject({ code: "usage" });
    await session.setConfigOption("model", "large");
    peer.answerAlways({ "session/set_config_option": { configOptions: [model, web] } });
    await session.setConfigOption("web", true);
    expect(peer.calls("session/set_config_option").map(({ params }) => params)).toEqual([
      { sessionId: "session-1", configId: "model", value: "large" },
      { sessionId: "session-1", configId: "web", type: "boolean", value: true },
    ]);
  });
});
