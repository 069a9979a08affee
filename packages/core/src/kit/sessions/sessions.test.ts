import type { SessionInfo } from "@acp/schema/v1";
import { describe, expect, test } from "vitest";
import { createRawPeer, type RawPeer } from "../../../test/support/raw-peer.ts";
import { createMemoryTransportPair } from "../../transport/memory-transport.ts";
import { createAgent } from "../../v1/agent.ts";
import { createClient } from "../../v1/client.ts";
import type { ConnectedAgent } from "../../v1/connected-agent.ts";
import { listSessions, pageSessions } from "./sessions.ts";

const info = { name: "test", version: "1.0.0" };

const sessionsOf = (count: number, cwd = "/project"): SessionInfo[] =>
  Array.from({ length: count }, (_, index) => ({ sessionId: `s${index} ü`, cwd }));

/** A client with an agent of raw messages. */
async function connect(sessionCapabilities: object = { list: {} }): Promise<{ peer: RawPeer; agent: ConnectedAgent }> {
  const client = createClient({ info });
  let connecting: Promise<ConnectedAgent> | undefined;
  const peer = createRawPeer((transport) => {
    connecting = client.connect(transport);
  });
  const { id } = await peer.next(({ method }) => method === "initialize");
  peer.send({ jsonrpc: "2.0", id, result: { protocolVersion: 1, agentCapabilities: { sessionCapabilities } } });
  const agent = await connecting;
  if (agent === undefined) throw new Error("not connected");
  return { peer, agent };
}

/** Answers one request for a page; returns its params. */
async function answer(peer: RawPeer, ids: readonly string[], nextCursor?: string | null): Promise<unknown> {
  const { id, params } = await peer.next(({ method }) => method === "session/list");
  const sessions = ids.map((sessionId) => ({ sessionId, cwd: "/project" }));
  peer.send({ jsonrpc: "2.0", id, result: { sessions, ...(nextCursor === undefined ? {} : { nextCursor }) } });
  return params;
}

async function idsOf(sessions: AsyncIterable<{ readonly sessionId: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { sessionId } of sessions) ids.push(sessionId);
  return ids;
}

describe("listSessions()", () => {
  test.each([undefined, null])(
    "LIST-05, LIST-06: follows cursors byte for byte, until the next one is %s",
    async (end) => {
      const { peer, agent } = await connect();
      const ids = idsOf(listSessions(agent, { cwd: "/project" }));
      const cursors = ["", " %2F+=/\n", "\u0000ü😀\u2028"];
      expect(await answer(peer, ["a"], cursors[0])).toEqual({ cwd: "/project" });
      expect(await answer(peer, [], cursors[1])).toEqual({ cwd: "/project", cursor: cursors[0] });
      expect(await answer(peer, ["b", "c"], cursors[2])).toEqual({ cwd: "/project", cursor: cursors[1] });
      expect(await answer(peer, ["d"], end)).toEqual({ cwd: "/project", cursor: cursors[2] });
      expect(await ids).toEqual(["a", "b", "c", "d"]);
      await peer.settle();
      expect(peer.received.filter(({ method }) => method === "session/list")).toHaveLength(4);
    },
  );

  test("asks for a page only when it is wanted", async () => {
    const { peer, agent } = await connect();
    const reading = (async () => {
      for await (const { sessionId } of listSessions(agent)) return sessionId;
      return undefined;
    })();
    await answer(peer, ["a", "b"], "more");
    expect(await reading).toBe("a");
    await peer.settle();
    expect(peer.received.filter(({ method }) => method === "session/list")).toHaveLength(1);
  });

  test("ends with an error where cursors go round, or pages stay empty", async () => {
    const { peer, agent } = await connect();
    const round = idsOf(listSessions(agent));
    for (const cursor of ["a", "b", "a"]) await answer(peer, ["x"], cursor);
    await expect(round).rejects.toMatchObject({
      code: "protocol_violation",
      reason: expect.stringContaining("before"),
    });
    const empty = idsOf(listSessions(agent));
    empty.catch(() => {});
    for (let index = 0; index < 100; index++) await answer(peer, [], String(index));
    await expect(empty).rejects.toMatchObject({ code: "protocol_violation", reason: expect.stringContaining("empty") });
  });

  test("LIST-01: sends nothing to an agent without a list", async () => {
    const { peer, agent } = await connect({});
    await expect(idsOf(listSessions(agent))).rejects.toMatchObject({ code: "missing_capability" });
    await peer.settle();
    expect(peer.received).toHaveLength(1);
  });

  test("can be aborted, also between two pages", async () => {
    const { peer, agent } = await connect();
    const stop = new AbortController();
    const iterator = listSessions(agent, { signal: stop.signal });
    const first = iterator.next();
    await answer(peer, ["a"], "more");
    expect((await first).value).toMatchObject({ sessionId: "a" });
    stop.abort(new Error("enough"));
    await expect(iterator.next()).rejects.toThrow("enough");
  });
});

describe("pageSessions()", () => {
  test.each([0, 1, 49, 50, 51, 100, 230])(
    "LIST-03, LIST-08: %i sessions come in pages of 50, each once, in order",
    async (count) => {
      const all = sessionsOf(count);
      const sizes: number[] = [];
      const agent = createAgent({
        info,
        handlers: {
          "session/prompt": () => ({ stopReason: "end_turn" }),
          "session/list": (params) => {
            const page = pageSessions(all, params);
            sizes.push(page.sessions.length);
            return page;
          },
        },
      });
      const [near, far] = createMemoryTransportPair();
      agent.connect(far);
      const connected = await createClient({ info }).connect(near);
      expect(await idsOf(listSessions(connected))).toEqual(all.map(({ sessionId }) => sessionId));
      expect(sizes).toHaveLength(Math.max(1, Math.ceil(count / 50)));
      expect(Math.max(...sizes)).toBeLessThanOrEqual(50);
      await connected.close();
    },
  );

  test("LIST-02/agent, LIST-04: lists only the sessions of the directory, and an empty list is fine", () => {
    const all = [...sessionsOf(3, "/a"), ...sessionsOf(2, "/b")];
    expect(pageSessions(all, { cwd: "/b" }).sessions).toHaveLength(2);
    expect(pageSessions(all, { cwd: "/b//" }).sessions).toHaveLength(2);
    expect(pageSessions(all, { cwd: "/" })).toEqual({ sessions: [] });
    expect(pageSessions(all, { cwd: "/c" })).toEqual({ sessions: [] });
    expect(pageSessions(all, { cwd: null, cursor: null }).sessions).toHaveLength(5);
  });

  describe("continues in the right place", () => {
    const all = sessionsOf(10);
    const before = all.slice(0, 4);
    const after = all.slice(4);
    const added = { sessionId: "new", cwd: "/project" };
    /** What the second page has, without new ones, when the sessions have become others after the first. */
    const rest = (now: readonly SessionInfo[]): readonly SessionInfo[] => {
      const { nextCursor } = pageSessions(all, {}, { pageSize: 4 });
      const page = pageSessions(now, { cursor: nextCursor ?? null }, { pageSize: Infinity });
      return page.sessions.filter((session) => session !== added);
    };
    /** All ways to leave out some of a list. */
    const parts = (list: readonly SessionInfo[]): (readonly SessionInfo[])[] =>
      Array.from({ length: 2 ** list.length }, (_, mask) =>
        list.filter((_session, index) => (mask >> index) % 2 === 0),
      );

    test("when sessions are added and deleted between two pages", () => {
      for (const first of parts(before)) {
        for (const second of parts(after)) {
          const isLost = !all.slice(2, 6).some((session) => [...first, ...second].includes(session));
          const left = [...first, ...second];
          for (const now of [left, [added, ...left], [...first, added, ...second], [...left, added]]) {
            expect(rest(now)).toEqual(isLost ? left : second);
          }
        }
      }
    });

    test("when a session before it was used and is the first one now", () => {
      for (const session of before) expect(rest([session, ...all.filter((other) => other !== session)])).toEqual(after);
    });

    test("with a cursor that is small", () => {
      const many = Array.from({ length: 500 }, () => ({ sessionId: crypto.randomUUID(), cwd: "/project" }));
      expect(pageSessions(many, {}).nextCursor?.length).toBeLessThan(256);
    });
  });

  test.each([0, -1, 1.5, NaN, -Infinity, "5" as unknown as number])("refuses pages of %s sessions", (pageSize) => {
    expect(() => pageSessions(sessionsOf(3), {}, { pageSize })).toThrow(expect.objectContaining({ code: "usage" }));
  });

  test.each(["", "x", "%", "5", "[]", "[1]", '["1","a"]', "[1,%22a%22]", "[[],[%22a%22]]", "[[1],[2]]", "null"])(
    "LIST-07: answers the cursor %j with -32602",
    (cursor) => {
      expect(() => pageSessions(sessionsOf(3), { cursor })).toThrow(
        expect.objectContaining({ wire: expect.objectContaining({ code: -32602 }) }),
      );
    },
  );
});
