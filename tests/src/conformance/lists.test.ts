import { sendSessionInfo } from "@acp/core/agent";
import { listSessions } from "@acp/core/sessions";
import { createSessionState } from "@acp/core/state";
import { describe, expect, test } from "vitest";

import { collect } from "./harness/collect.ts";
import { rawAgent, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";
import { type ReferenceAgent, referenceAgent, temporaryDirectory } from "./harness/reference.ts";

const done = { stopReason: "end_turn" } as const;
const listed = { sessionId: "s", cwd: "/project", additionalDirectories: ["/b", "/a"], title: "T" };
const listing = { sessionCapabilities: { list: {}, additionalDirectories: {} } };

/** The reference agent with a number of sessions that have been prompted. */
async function withSessions(count: number): Promise<ReferenceAgent["peer"]> {
  const { peer } = referenceAgent();
  await peer.initialize();
  const cwd = temporaryDirectory();
  for (let index = 0; index < count; index++) await peer.prompt(await peer.newSession({ cwd }), `question ${index}`);
  return peer;
}

describe("an agent", () => {
  test("LIST-03, LIST-08: answers with the sessions, and with a cursor while there are more", async () => {
    const peer = await withSessions(51);
    const first = (await peer.call("session/list", {})).result;
    expect([first.sessions.length, typeof first.nextCursor]).toEqual([50, "string"]);
    const last = (await peer.call("session/list", { cursor: first.nextCursor })).result;
    expect([last.sessions.length, last.nextCursor ?? null]).toEqual([1, null]);
  });

  test("LIST-02: lists the sessions of one directory when it is asked for them", async () => {
    const peer = await withSessions(1);
    const elsewhere = temporaryDirectory();
    const sessionId = await peer.newSession({ cwd: elsewhere });
    await peer.prompt(sessionId, "question");
    const { sessions } = (await peer.call("session/list", { cwd: elsewhere })).result;
    expect(sessions).toMatchObject([{ sessionId, cwd: elsewhere }]);
  });

  test("LIST-04: answers with an empty list when it has no sessions", async () => {
    const peer = await withSessions(0);
    expect((await peer.call("session/list", { cwd: "/nowhere" })).result.sessions).toEqual([]);
  });

  test.each(["nonsense", "-1"])(
    "LIST-07: answers -32602 to the cursor %j, which it did not give out",
    async (cursor) => {
      const peer = await withSessions(1);
      expect((await peer.call("session/list", { cursor })).error?.code).toBe(-32602);
    },
  );

  test("LIST-09: sends id, directory and title, and the time of the last change in ISO 8601", async () => {
    const peer = await withSessions(1);
    const [session] = (await peer.call("session/list", {})).result.sessions;
    expect(session).toMatchObject({
      sessionId: expect.any(String),
      cwd: expect.stringMatching(/^\//u),
      title: "question 0",
    });
    expect(new Date(session.updatedAt).toISOString()).toBe(session.updatedAt);
  });

  test("LIST-10: may send all additional directories of a session, in order", async () => {
    const peer = await rawClient(
      agentThat(undefined, { "session/list": () => ({ sessions: [structuredClone(listed)] }) }, listing),
    );
    await peer.initialize();
    expect((await peer.call("session/list", {})).result.sessions).toEqual([listed]);
  });

  test("LIST-12: opens and changes nothing by listing", async () => {
    const peer = await withSessions(1);
    const before = (await peer.call("session/list", {})).result;
    const [{ sessionId }] = before.sessions;
    await peer.call("session/close", { sessionId });
    expect((await peer.call("session/list", {})).result).toEqual(before);
    expect((await peer.prompt(sessionId)).error?.code).toBe(-32002);
  });

  test("LIST-13: reports changed and cleared members of a session, and moves none", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        await sendSessionInfo(turn, { title: "T" });
        await sendSessionInfo(turn, { updatedAt: "2026-01-02T03:04:05Z" });
        await sendSessionInfo(turn, { title: null });
        return done;
      }),
    );
    await peer.prompt(await peer.open());
    expect(peer.updates).toEqual([
      { sessionUpdate: "session_info_update", title: "T" },
      { sessionUpdate: "session_info_update", updatedAt: "2026-01-02T03:04:05Z" },
      { sessionUpdate: "session_info_update", title: null },
    ]);
    // @ts-expect-error: there is no way to say so.
    const moving: Parameters<typeof sendSessionInfo>[1] = { cwd: "/elsewhere" };
    expect(moving).toBeDefined();
  });

  test("LIST-15, LIST-16: deletes a session once, and answers the second time as well", async () => {
    const peer = await withSessions(1);
    const [{ sessionId }] = (await peer.call("session/list", {})).result.sessions;
    for (const _ of [1, 2]) expect((await peer.call("session/delete", { sessionId })).result).toEqual({});
    expect((await peer.call("session/list", {})).result.sessions).toEqual([]);
  });
});

describe("a client", () => {
  test("LIST-01, LIST-14: lists and deletes only if the agent advertised it", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    for (const call of [agent.request("session/list", {}), agent.request("session/delete", { sessionId: "s" })]) {
      await expect(call).rejects.toMatchObject({ code: "missing_capability" });
    }
    await peer.settle();
    expect(peer.received.map(({ method }) => method)).toEqual(["initialize", undefined]);
  });

  test("LIST-02: names no directory that is not absolute", async () => {
    const { peer, agent } = await rawAgent(clientWith(), {
      initialize: { protocolVersion: 1, agentCapabilities: listing },
      "session/list": { sessions: [] },
    });
    await expect(agent.request("session/list", { cwd: "src" })).rejects.toMatchObject({ code: "usage" });
    await agent.request("session/list", { cwd: "/src" });
    expect(peer.calls("session/list").map(({ params }) => params)).toEqual([{ cwd: "/src" }]);
  });

  test.each([{}, { nextCursor: null }])("LIST-05: ends a list where the answer has %j for a cursor", async (last) => {
    const pages = [
      { sessions: [listed], nextCursor: "more" },
      { sessions: [], ...last },
    ];
    const { peer, agent } = await rawAgent(clientWith(), {
      initialize: { protocolVersion: 1, agentCapabilities: listing },
      "session/list": () => pages.shift() ?? { sessions: [], nextCursor: "for ever" },
    });
    expect(await collect(listSessions(agent))).toEqual([listed]);
    expect(peer.calls("session/list").map(({ params }) => params.cursor)).toEqual([undefined, "more"]);
  });

  test("LIST-13: takes the present members of a session's news, clears null ones, and moves no session", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    const session = await agent.newSession({ cwd: "/project" });
    const store = createSessionState(session);
    const tell = async (members: object): Promise<unknown> => {
      const update = { sessionUpdate: "session_info_update", ...members };
      peer.notify("session/update", { sessionId: session.id, update });
      await peer.settle();
      return [store.state.info.title, store.state.info.updatedAt];
    };
    expect(await tell({ title: "T", updatedAt: "2026-01-02T03:04:05Z" })).toEqual(["T", "2026-01-02T03:04:05Z"]);
    expect(await tell({ title: "U" })).toEqual(["U", "2026-01-02T03:04:05Z"]);
    expect(await tell({ updatedAt: null, cwd: "/elsewhere", sessionId: "other" })).toEqual(["U", undefined]);
    expect([session.id, session.cwd]).toEqual(["session-1", "/project"]);
  });

  test("LIST-06: sends a cursor back as it came", async () => {
    const cursor = ' {"not":"looked at"} π ';
    const { peer, agent } = await rawAgent(clientWith(), {
      initialize: { protocolVersion: 1, agentCapabilities: listing },
      "session/list": { sessions: [listed], nextCursor: cursor },
    });
    const { nextCursor } = await agent.request("session/list", {});
    await agent.request("session/list", { cursor: nextCursor });
    expect(peer.calls("session/list")[1]?.params.cursor).toBe(cursor);
  });
});
