import { describe, expect, it } from "vitest";
import { createSettings } from "./entry.ts";
import { RequestError } from "../../base/errors.ts";
import { createRawPeer } from "../../../test/support/raw-peer.ts";
import { createAgent } from "../../v1/agent.ts";
import type { AgentSession } from "../../v1/agent-session.ts";
import { connect } from "./testing/connected.ts";

const modes = {
  currentModeId: "ask",
  availableModes: [
    { id: "ask", name: "Ask", description: "Asks first" },
    { id: "code", name: "Code" },
  ],
} as const;
const web = { type: "boolean", id: "web", name: "Web", currentValue: true } as const;
const model = {
  type: "select",
  id: "model",
  name: "Model",
  category: "model",
  currentValue: "fast",
  options: [
    { group: "a", name: "A", options: [{ value: "fast", name: "Fast" }] },
    { group: "b", name: "B", options: [{ value: "deep", name: "Deep" }] },
  ],
} as const;
const withBoolean = { session: { configOptions: { boolean: {} } } };

/** Option ids with their values, as a client sees them. */
const values = (options: readonly object[] | undefined): unknown =>
  options?.map((option) => {
    const { id, currentValue } = option as { id?: string; currentValue?: unknown };
    return [id, currentValue];
  });

describe("createSettings()", () => {
  it("sends modes and options in the setup answer, and the modes as an option, too (MODE-01, CONF-01, CONF-17)", async () => {
    const settings = createSettings({ modes, configOptions: [model] });
    const { session } = await connect({ handlers: settings.handlers });
    expect(session.modes).toEqual(modes);
    expect(session.configOptions).toEqual([
      {
        type: "select",
        id: "mode",
        name: "Mode",
        category: "mode",
        currentValue: "ask",
        options: [
          { value: "ask", name: "Ask", description: "Asks first" },
          { value: "code", name: "Code" },
        ],
      },
      model,
    ]);
  });

  it("makes modes from an option of category mode (CONF-17)", async () => {
    const option = {
      type: "select",
      id: "way",
      name: "Way",
      category: "mode",
      currentValue: "ask",
      options: [
        { value: "ask", name: "Ask" },
        { value: "code", name: "Code" },
      ],
    } as const;
    const settings = createSettings({ configOptions: [option] });
    const { session } = await connect({ handlers: settings.handlers });
    expect(session.modes).toEqual({
      currentModeId: "ask",
      availableModes: [
        { id: "ask", name: "Ask" },
        { id: "code", name: "Code" },
      ],
    });
    expect(session.configOptions).toEqual([option]);
  });

  it("throws for a value that is not listed, and for an option that says otherwise than the modes (CONF-11)", () => {
    expect(() => createSettings({ modes: { ...modes, currentModeId: "chat" } })).toThrow(
      '/modes/currentModeId: is none of those that are offered, got "chat"; offered: "ask", "code" (MODE-05)',
    );
    // The path in the declaration, although the modes are sent as an option as well.
    expect(() => createSettings({ modes, configOptions: [{ ...model, currentValue: "slow" }] })).toThrow(
      /^\/configOptions\/0\/currentValue: .*, got "slow"; offered: .* \(CONF-11\)$/,
    );
    const option = { ...model, category: "mode" };
    expect(() => createSettings({ modes, configOptions: [option] })).toThrow(/CONF-17/);
  });

  it("applies the client's choices, in step for modes and options (MODE-03, CONF-14, CONF-16/agent, CONF-17)", async () => {
    const settings = createSettings({ modes, configOptions: [model, web] });
    const { session, updates, turn } = await connect({ handlers: settings.handlers, capabilities: withBoolean });
    expect(await session.agent.request("session/set_mode", { modeId: "code" })).toEqual({});
    // It may come a moment after the answer.
    await expect.poll(() => updates).toMatchObject([{ sessionUpdate: "config_option_update" }]);
    expect(values(session.configOptions)).toEqual([
      ["mode", "code"],
      ["model", "fast"],
      ["web", true],
    ]);
    // During a turn (CONF-16).
    await turn(async () => {
      expect(values(await session.setConfigOption("model", "deep"))).toEqual([
        ["mode", "code"],
        ["model", "deep"],
        ["web", true],
      ]);
    });
    expect(values(await session.setConfigOption("web", false))).toContainEqual(["web", false]);
    expect(updates).toHaveLength(1);
    expect(values(await session.setConfigOption("mode", "ask"))).toContainEqual(["mode", "ask"]);
    await expect.poll(() => updates.slice(1)).toEqual([{ sessionUpdate: "current_mode_update", currentModeId: "ask" }]);
    expect(session.modes?.currentModeId).toBe("ask");
    const now = await turn((agentTurn) => Promise.resolve(settings.values(agentTurn.session)));
    expect(now).toEqual({ mode: "ask", model: "deep", web: false });
  });

  it.each([
    ["session/set_mode", { modeId: "chat" }, "MODE-02/agent"],
    ["session/set_config_option", { configId: "model", value: "slow" }, "CONF-13/agent"],
    ["session/set_config_option", { configId: "none", value: "x" }, "CONF-13/agent"],
    ["session/set_config_option", { configId: "web", value: "true" }, "CONF-13/agent"],
    ["session/set_config_option", { configId: "model", type: "boolean", value: true }, "CONF-13/agent"],
  ])("answers -32602 to %s with %j, and changes nothing (%s)", async (method, params, _rule) => {
    let now: unknown;
    const settings = createSettings({ modes, configOptions: [model, web] });
    const agent = createAgent({
      info: { name: "test-agent", version: "1.0.0" },
      handlers: {
        ...settings.handlers,
        "session/prompt": (_, { session }) => {
          now = settings.values(session);
          return { stopReason: "end_turn" };
        },
      },
    });
    // Ours does not send it.
    const peer = createRawPeer((transport) => agent.connect(transport));
    await peer.call("initialize", { protocolVersion: 1, clientCapabilities: withBoolean });
    const { result } = await peer.call("session/new", { cwd: "/project", mcpServers: [] });
    const { sessionId } = result as { sessionId: string };
    expect(await peer.call(method, { sessionId, ...params })).toMatchObject({ error: { code: -32602 } });
    await peer.call("session/prompt", { sessionId, prompt: [] });
    expect(now).toEqual({ mode: "ask", model: "fast", web: true });
    expect(peer.received.filter((message) => "method" in message)).toEqual([]);
    await peer.close();
  });

  it("lets the agent change them with one call, which updates the client (MODE-05, CONF-15, CONF-17)", async () => {
    const settings = createSettings({ modes, configOptions: [model] });
    const { session, updates, turn } = await connect({ handlers: settings.handlers });
    await turn(async (agentTurn) => {
      await settings.set(agentTurn.session, "mode", "code");
      await settings.set(agentTurn.session, "model", "deep");
      await settings.set(agentTurn.session, "model", "deep");
      expect(settings.value(agentTurn.session, "mode")).toBe("code");
      await expect(settings.set(agentTurn.session, "mode", "chat" as "code")).rejects.toMatchObject({ code: "usage" });
    });
    expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      "current_mode_update",
      "config_option_update",
      "config_option_update",
    ]);
    expect(session.modes?.currentModeId).toBe("code");
    expect(values(session.configOptions)).toEqual([
      ["mode", "code"],
      ["model", "deep"],
    ]);
  });

  it("replaces the list, and keeps the mode (CONF-15)", async () => {
    const settings = createSettings({ modes, configOptions: [model] });
    const { session, turn } = await connect({ handlers: settings.handlers });
    await session.setMode("code");
    await turn(async (agentTurn) => {
      const thoughts = {
        type: "select" as const,
        id: "thoughts",
        name: "Thoughts",
        currentValue: "many",
        options: [{ value: "many", name: "Many" }],
      };
      await settings.replace(agentTurn.session, [thoughts]);
      await expect(settings.replace(agentTurn.session, [{ ...thoughts, currentValue: "few" }])).rejects.toMatchObject({
        code: "usage",
      });
    });
    expect(values(session.configOptions)).toEqual([
      ["mode", "code"],
      ["thoughts", "many"],
    ]);
  });

  it("sends the mode of a list that replaces another (CONF-17)", async () => {
    const moods = [
      { value: "ask", name: "Ask" },
      { value: "code", name: "Code" },
    ];
    const mood = { type: "select", id: "mood", name: "Mood", category: "mode", options: moods } as const;
    const settings = createSettings({ configOptions: [{ ...mood, currentValue: "ask" }] });
    const { session, turn } = await connect({ handlers: settings.handlers });
    expect(session.modes?.currentModeId).toBe("ask");
    await turn((agentTurn) => settings.replace(agentTurn.session, [{ ...mood, currentValue: "code" }]));
    expect(session.modes?.currentModeId).toBe("code");
  });

  it("offers options that are on or off only to clients that take them (CONF-05, CONF-06)", async () => {
    const settings = createSettings({ configOptions: [model, web] });
    const without = await connect({ handlers: settings.handlers });
    expect(values(without.session.configOptions)).toEqual([["model", "fast"]]);
    const withIt = await connect({ handlers: settings.handlers, capabilities: withBoolean });
    expect(values(withIt.session.configOptions)).toEqual([
      ["model", "fast"],
      ["web", true],
    ]);
  });

  it("keeps each session's values apart, and takes saved ones up again", async () => {
    const settings = createSettings({ modes, configOptions: [model] });
    const handlers = {
      ...settings.handlers,
      "session/load": (_: unknown, { session }: { session: AgentSession<unknown> }) =>
        // One value is of an option that an older version had, one is none any more.
        settings.open(session, { mode: "code", model: "older", theme: "dark" } as { mode: "code" }),
    };
    const { agent, session } = await connect({ handlers });
    await session.setConfigOption("model", "deep");
    const other = await agent.newSession({ cwd: "/other" });
    const loaded = await agent.loadSession({ sessionId: "old", cwd: "/project" });
    expect(values(other.configOptions)).toEqual([
      ["mode", "ask"],
      ["model", "fast"],
    ]);
    expect(values(loaded.configOptions)).toEqual([
      ["mode", "code"],
      ["model", "fast"],
    ]);
    expect(loaded.modes?.currentModeId).toBe("code");
  });

  it("calls onChange with each change first, which may refuse it", async () => {
    const changes: unknown[] = [];
    const settings = createSettings(
      { modes, configOptions: [model] },
      {
        onChange: (session, change) => {
          changes.push([session.cwd, change, settings.value(session, "model")]);
          if (change.value === "deep") throw RequestError.invalidParams("Not paid for");
        },
      },
    );
    const { session, turn } = await connect({ handlers: settings.handlers });
    await session.setMode("code");
    await session.setMode("code");
    await expect(session.setConfigOption("model", "deep")).rejects.toThrow(/Not paid for/);
    await turn(async (agentTurn) => {
      await expect(settings.set(agentTurn.session, "model", "deep")).rejects.toThrow(/Not paid for/);
    });
    expect(changes).toEqual([
      ["/project", { configId: "mode", value: "code", by: "client" }, "fast"],
      ["/project", { configId: "model", value: "deep", by: "client" }, "deep"],
      ["/project", { configId: "model", value: "deep", by: "agent" }, "deep"],
    ]);
    expect(values(await session.setConfigOption("mode", "ask"))).toContainEqual(["model", "fast"]);
  });
});
