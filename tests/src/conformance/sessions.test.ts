import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename } from "node:path";

import { createAgent } from "@acp/core";
import { describe, expect, test } from "vitest";

import { collect } from "./harness/collect.ts";
import { rawAgent, type RawClient, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";
import { referenceAgent, temporaryDirectory } from "./harness/reference.ts";

const done = { stopReason: "end_turn" } as const;
const setup = { cwd: "/project", mcpServers: [] };
const everything = {
  loadSession: true,
  sessionCapabilities: { resume: {}, close: {}, additionalDirectories: {} },
};

/** An agent whose sessions are whatever ids they are opened by. */
const lasting = createAgent({
  info: { name: "agent", version: "1.0.0" },
  capabilities: { sessionCapabilities: { additionalDirectories: {} } },
  handlers: {
    "session/load": async (_, { session }) => {
      for (const [index, text] of ["a", "b", "c"].entries()) {
        const content = { type: "text", text } as const;
        await session.update({ sessionUpdate: "user_message_chunk", messageId: `m${index}`, content });
      }
    },
    "session/resume": () => ({}),
    "session/close": () => ({}),
    "session/prompt": async (_, { session, turn }) => {
      await turn.message(JSON.stringify([session.cwd, session.additionalDirectories]));
      return done;
    },
  },
});

/** The reference agent with a session that was prompted and closed, and a way to open it again. */
async function lived(prompts: readonly string[]): Promise<{
  readonly peer: RawClient;
  readonly sessionId: string;
  /** The updates that come before the answer. */
  reopened(method: "session/load" | "session/resume"): Promise<RawClient["updates"]>;
}> {
  const { peer } = referenceAgent();
  const cwd = temporaryDirectory();
  writeFileSync(`${cwd}/note.txt`, "a note");
  await peer.initialize();
  const sessionId = await peer.newSession({ cwd });
  for (const prompt of prompts) await peer.prompt(sessionId, prompt);
  await peer.call("session/close", { sessionId });
  return {
    peer,
    sessionId,
    reopened: async (method) => {
      const before = peer.updates.length;
      const answer = await peer.call(method, { sessionId, cwd, mcpServers: [] });
      expect(answer.error).toBeUndefined();
      const updates = peer.received
        .slice(0, peer.received.indexOf(answer))
        .filter(({ method: name }) => name === "session/update");
      return updates.slice(before).map(({ params }) => params.update);
    },
  };
}

describe("an agent", () => {
  test.each([
    [{ cwd: "/project" }, -32602],
    [{ mcpServers: [] }, -32602],
    [{ cwd: "/project", mcpServers: null }, undefined],
  ])("SESS-01: takes %j for session/new with code %s", async (params, code) => {
    const peer = await rawClient(agentThat());
    await peer.initialize();
    expect((await peer.call("session/new", params)).error?.code).toBe(code);
  });

  test("SESS-02: gives each session an id of its own", async () => {
    const peer = await rawClient(agentThat());
    const ids = [await peer.open(), await peer.newSession(), await peer.newSession()];
    expect(new Set(ids).size).toBe(3);
  });

  test("SESS-03: keeps the sessions of a connection apart", async () => {
    const peer = await rawClient(
      createAgent({
        info: { name: "agent", version: "1.0.0" },
        session: ({ cwd }) => ({ cwd, prompts: 0 }),
        handlers: {
          "session/prompt": async (_, { turn, session }) => {
            session.state.prompts += 1;
            await turn.message(`${session.state.cwd} ${session.state.prompts}`);
            return done;
          },
        },
      }),
    );
    await peer.initialize();
    const [a, b] = [await peer.newSession({ cwd: "/a" }), await peer.newSession({ cwd: "/b" })];
    for (const id of [a, b, a]) await peer.prompt(id);
    const said = peer.calls("session/update").map(({ params }) => [params.sessionId, params.update.content.text]);
    expect(said).toEqual([
      [a, "/a 1"],
      [b, "/b 1"],
      [a, "/a 2"],
    ]);
  });

  test("SESS-06, SESS-07: replays the history before it answers session/load", async () => {
    const peer = await rawClient(lasting);
    await peer.initialize();
    const answer = await peer.call("session/load", { sessionId: "old", ...setup });
    const chunks = peer.calls("session/update");
    expect(chunks.map(({ params }) => [params.sessionId, params.update.content.text])).toEqual([
      ["old", "a"],
      ["old", "b"],
      ["old", "c"],
    ]);
    expect(peer.received.indexOf(answer)).toBe(peer.received.length - 1);
  });

  test("SESS-08: answers session/load with an object", async () => {
    const peer = await rawClient(lasting);
    await peer.initialize();
    // Its handler returns nothing at all.
    expect((await peer.call("session/load", { sessionId: "old", ...setup })).result).toEqual({});
  });

  test("SESS-06, SESS-07, SESS-12: replays all that was said and done when it loads, and nothing when it resumes", async () => {
    const { peer, sessionId, reopened } = await lived(["read note.txt", "plan"]);
    const isHistory = ({ sessionUpdate }: { readonly sessionUpdate: string }): boolean =>
      !["available_commands_update", "session_info_update"].includes(sessionUpdate);
    const live = peer.updates.filter(isHistory);
    const replayed = (await reopened("session/load")).filter(isHistory);
    const isOfUser = ({ sessionUpdate }: { readonly sessionUpdate: string }): boolean =>
      sessionUpdate === "user_message_chunk";
    expect(live.length).toBeGreaterThan(5);
    expect(replayed.filter((update) => !isOfUser(update))).toEqual(live);
    expect(replayed.filter(isOfUser).map(({ content }) => (content as { text: string }).text)).toEqual([
      "read note.txt",
      "plan",
    ]);
    await peer.call("session/close", { sessionId });
    expect((await reopened("session/resume")).filter(isHistory)).toEqual([]);
  });

  test("SESS-09: replays each message under an id of its own, also those that came after a load", async () => {
    const { peer, sessionId, reopened } = await lived(["/help", "hello"]);
    await reopened("session/load");
    await peer.prompt(sessionId, "/help");
    await peer.call("session/close", { sessionId });
    const replayed = (await reopened("session/load")).filter(({ messageId }) => messageId != null);
    const runs = replayed.filter((update, index) => update["messageId"] !== replayed[index - 1]?.["messageId"]);
    expect(runs.length).toBeGreaterThan(1);
    // An id that came back after another one would be the id of two messages.
    expect(new Set(runs.map(({ messageId }) => messageId)).size).toBe(runs.length);
  });

  test("SESS-12: resumes without a replay", async () => {
    const peer = await rawClient(lasting);
    await peer.initialize();
    expect((await peer.call("session/resume", { sessionId: "old", ...setup })).result).toEqual({});
    expect(peer.updates).toEqual([]);
  });

  test("SESS-13, MODE-01, CONF-01: may send modes and options however a session is opened", async () => {
    const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
    const option = { id: "o", name: "O", type: "select", currentValue: "v", options: [{ value: "v", name: "V" }] };
    const opened = { modes, configOptions: [option] } as const;
    const peer = await rawClient(
      agentThat(undefined, {
        "session/new": (_, { session }) => ({ sessionId: session.id, ...opened }) as never,
        "session/load": () => opened as never,
        "session/resume": () => opened as never,
        "session/set_mode": () => ({}),
        "session/set_config_option": () => ({ configOptions: [] }),
      }),
    );
    await peer.initialize();
    for (const method of ["session/new", "session/load", "session/resume"]) {
      expect((await peer.call(method, { sessionId: "s", ...setup })).result).toMatchObject(opened);
    }
  });

  test("SESS-15: cancels a session's work before it closes it", async () => {
    const peer = await rawClient(
      agentThat(
        async (_, { signal }) => {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          throw new Error("stopped");
        },
        { "session/close": () => ({}) },
      ),
    );
    const sessionId = await peer.open();
    const prompt = peer.startPrompt(sessionId);
    const closed = await peer.call("session/close", { sessionId });
    const answer = await peer.answerTo(prompt);
    expect([answer.result, closed.result]).toEqual([{ stopReason: "cancelled" }, {}]);
    expect(peer.received.indexOf(answer)).toBeLessThan(peer.received.indexOf(closed));
    expect((await peer.prompt(sessionId)).error?.code).toBe(-32002);
  });

  test("SESS-16: answers session/close with an empty object", async () => {
    const peer = await rawClient(lasting);
    expect((await peer.call("session/close", { sessionId: await peer.open() })).result).toEqual({});
  });

  test.each([
    ["SESS-17, SESS-26", "session/close", {}],
    ["SESS-26", "session/prompt", { prompt: [] }],
    ["SESS-26", "session/set_mode", { modeId: "m" }],
    ["SESS-26", "session/set_config_option", { configId: "c", value: "v" }],
  ])("%s: answers %s for a session that is not open with an error", async (_rules, method, params) => {
    const peer = await rawClient(
      agentThat(undefined, {
        "session/close": () => ({}),
        "session/set_mode": () => ({}),
        "session/set_config_option": () => ({ configOptions: [] }),
      }),
    );
    await peer.initialize();
    expect((await peer.call(method, { sessionId: "nobody's", ...params })).error?.code).toBe(-32002);
  });

  test("SESS-19, SESS-20: works in the session's directory, and takes relative paths from there", async () => {
    const [here, elsewhere] = [temporaryDirectory(), temporaryDirectory()];
    writeFileSync(`${here}/note.txt`, "kept here");
    writeFileSync(`${elsewhere}/note.txt`, "kept elsewhere");
    const { peer } = referenceAgent([], { cwd: elsewhere });
    await peer.initialize();
    await peer.prompt(await peer.newSession({ cwd: here }), "read note.txt");
    expect(peer.updates).toContainEqual(expect.objectContaining({ status: "completed" }));
    expect(JSON.stringify(peer.updates)).toContain("kept here");
    expect(JSON.stringify(peer.updates)).not.toContain("kept elsewhere");
  });

  test("SESS-21: reads nothing outside of the session's roots", async () => {
    const [root, outside] = [temporaryDirectory(), temporaryDirectory()];
    writeFileSync(`${outside}/secret.txt`, "hidden");
    mkdirSync(`${root}/inside`);
    const { peer } = referenceAgent();
    await peer.initialize();
    await peer.prompt(await peer.newSession({ cwd: `${root}/inside` }), `read ${outside}/secret.txt`);
    await peer.prompt(await peer.newSession({ cwd: `${root}/inside` }), `read ../../${basename(outside)}/secret.txt`);
    symlinkSync(`${outside}/secret.txt`, `${root}/inside/link.txt`);
    await peer.prompt(await peer.newSession({ cwd: `${root}/inside` }), "read link.txt");
    expect(JSON.stringify(peer.updates)).not.toContain("hidden");
    expect(peer.updates.filter(({ status }) => status === "failed")).toHaveLength(3);
  });

  test("SESS-24: has no additional directories but those of the call that opened the session", async () => {
    const peer = await rawClient(lasting);
    await peer.initialize();
    const roots = ["/one", "/two"];
    const sessionId = await peer.newSession({ additionalDirectories: roots });
    await peer.prompt(sessionId);
    await peer.call("session/resume", { sessionId, ...setup });
    await peer.prompt(sessionId);
    await peer.call("session/load", { sessionId, ...setup, additionalDirectories: [] });
    await peer.prompt(sessionId);
    const said = peer.updates.filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk");
    expect(said.map(({ content }) => JSON.parse((content as { text: string }).text))).toEqual([
      ["/project", roots],
      ["/project", []],
      ["/project", []],
    ]);
  });
});

describe("a client", () => {
  const opening = { initialize: { protocolVersion: 1, agentCapabilities: everything } };

  test("SESS-01, SESS-05, SESS-11: names directory and servers however it opens a session", async () => {
    const { peer, agent } = await rawAgent(clientWith(), { ...opening, "session/load": {}, "session/resume": {} });
    await agent.newSession({ cwd: "/project" });
    await agent.loadSession({ sessionId: "s", cwd: "/project" });
    await agent.resumeSession({ sessionId: "s", cwd: "/project" });
    expect(peer.received.slice(1).map(({ method, params }) => [method, params])).toEqual([
      ["session/new", setup],
      ["session/load", { sessionId: "s", ...setup }],
      ["session/resume", { sessionId: "s", ...setup }],
    ]);
  });

  test("SESS-03: keeps the sessions of a connection apart", async () => {
    let count = 0;
    const { peer, agent } = await rawAgent(clientWith(), {
      "session/new": () => ({ sessionId: `s${++count}` }),
    });
    const [a, b] = [await agent.newSession({ cwd: "/a" }), await agent.newSession({ cwd: "/b" })];
    const turns = [a, b].map((session) => session.prompt("go"));
    const seen = Promise.all(turns.map(({ updates }) => collect(updates)));
    const prompts = [await peer.next("session/prompt"), await peer.next("session/prompt")];
    const titled = (of: string): object => ({ sessionUpdate: "session_info_update", title: `of ${of}` });
    for (const sessionId of ["s2", "s1", "s2"]) peer.notify("session/update", { sessionId, update: titled(sessionId) });
    for (const prompt of prompts) peer.reply(prompt, done);
    expect(prompts.map(({ params }) => params.sessionId)).toEqual(["s1", "s2"]);
    expect(await seen).toEqual([[titled("s1")], [titled("s2"), titled("s2")]]);
  });

  test.each([
    ["SESS-04", "loadSession", { loadSession: false, sessionCapabilities: { resume: {} } }],
    ["SESS-10", "resumeSession", { loadSession: true, sessionCapabilities: { resume: null } }],
  ] as const)("%s: does not %s with an agent that advertised %j", async (_rule, call, agentCapabilities) => {
    const { peer, agent } = await rawAgent(clientWith(), { initialize: { protocolVersion: 1, agentCapabilities } });
    await expect(agent[call]({ sessionId: "s", cwd: "/project" })).rejects.toMatchObject({
      code: "missing_capability",
    });
    await peer.settle();
    expect(peer.received.filter(({ method }) => method !== undefined)).toHaveLength(1);
  });

  test("SESS-14: does not close sessions unless the agent advertised it", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    const session = await agent.newSession({ cwd: "/project" });
    await expect(session.close()).rejects.toMatchObject({ code: "missing_capability" });
    await peer.settle();
    expect(peer.calls("session/close")).toEqual([]);
  });

  test("SESS-08: takes null for an empty answer to session/load", async () => {
    const { peer, agent } = await rawAgent(clientWith(), opening);
    const loading = agent.loadSession({ sessionId: "s", cwd: "/project" });
    peer.reply(await peer.next("session/load"), null);
    expect((await loading).id).toBe("s");
  });

  test.each([
    ["SESS-18, CHK-05", { cwd: "project" }],
    ["SESS-23", { cwd: "/project", additionalDirectories: ["/a", "b"] }],
  ])("%s: opens no session with %j", async (_rules, directories) => {
    const { peer, agent } = await rawAgent(clientWith(), opening);
    const attempts = await Promise.allSettled([
      agent.newSession(directories),
      agent.loadSession({ sessionId: "s", ...directories }),
      agent.resumeSession({ sessionId: "s", ...directories }),
    ]);
    const reason = expect.objectContaining({ code: "usage" });
    expect(attempts).toEqual(attempts.map(() => ({ status: "rejected", reason })));
    await peer.settle();
    expect(peer.received.map(({ method }) => method)).toEqual(["initialize", undefined]);
  });

  test("SESS-22: sends additional directories only to agents that advertised them", async () => {
    const wanted = { cwd: "/project", additionalDirectories: ["/more"] };
    const without = await rawAgent(clientWith());
    await expect(without.agent.newSession(wanted)).rejects.toMatchObject({ code: "missing_capability" });
    await without.peer.settle();
    expect(without.peer.calls("session/new")).toEqual([]);
    const { peer, agent } = await rawAgent(clientWith(), opening);
    await agent.newSession(wanted);
    expect(peer.calls("session/new")).toMatchObject([{ params: { additionalDirectories: ["/more"] } }]);
  });

  test("SESS-24: sends the additional directories of each call, and adds none of an earlier one", async () => {
    const { peer, agent } = await rawAgent(clientWith(), { ...opening, "session/resume": {} });
    await agent.newSession({ cwd: "/project", additionalDirectories: ["/more"] });
    const session = await agent.resumeSession({ sessionId: "session-1", cwd: "/project" });
    expect(peer.calls("session/resume")[0]?.params).toEqual({ sessionId: "session-1", ...setup });
    expect(session.additionalDirectories).toEqual([]);
  });

  test("SESS-25: opens a session again with other roots only in the same directory", async () => {
    const { peer, agent } = await rawAgent(clientWith(), { ...opening, "session/resume": {}, "session/load": {} });
    const { id: sessionId, cwd } = await agent.newSession({ cwd: "/project" });
    await agent.resumeSession({ sessionId, cwd, additionalDirectories: ["/more"] });
    await agent.loadSession({ sessionId, cwd, additionalDirectories: ["/other"] });
    const elsewhere = { sessionId, cwd: "/elsewhere", additionalDirectories: ["/more"] };
    const refused = await Promise.allSettled([
      agent.resumeSession(elsewhere),
      agent.request("session/load", { ...elsewhere, mcpServers: [] }),
    ]);
    const reason = expect.objectContaining({ code: "usage", message: expect.stringContaining("SESS-25") });
    expect(refused).toEqual([
      { status: "rejected", reason },
      { status: "rejected", reason },
    ]);
    await peer.settle();
    for (const method of ["session/resume", "session/load"]) {
      expect(peer.calls(method)).toMatchObject([{ params: { cwd: "/project" } }]);
    }
  });

  test("reopens a session that is not open here with the given directories: no others are known", async () => {
    const { peer, agent } = await rawAgent(clientWith(), { ...opening, "session/resume": {}, "session/close": {} });
    const session = await agent.newSession({ cwd: "/project" });
    await session.close();
    for (const sessionId of [session.id, "another's"]) {
      await agent.resumeSession({ sessionId, cwd: "/elsewhere", additionalDirectories: ["/more"] });
    }
    expect(peer.calls("session/resume").map(({ params }) => params.cwd)).toEqual(["/elsewhere", "/elsewhere"]);
  });
});
