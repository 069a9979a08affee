// What a client gets of a session: its updates before it is open, its history, its mode, its end.
import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v1";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import type { ClientSession } from "../../src/v1/client-session.ts";
import { chunk, collect, connect, delay, openSession, textOf } from "../support/connected-client.ts";

describe("a session", () => {
  it("delivers updates that came before the answer that names it, once its opener has gone on", async () => {
    const seen: string[] = [];
    const connected = await connect({
      "session/update": ({ update }: Received.SessionNotification) => void seen.push(textOf(update)),
    });
    const { peer, agent } = connected;
    const opening = agent.newSession({ cwd: "/project" });
    const { id } = await peer.next(({ method }) => method === "session/new");
    peer.send(chunk("early"));
    await peer.settle();
    expect(seen).toEqual([]);
    peer.send({ jsonrpc: "2.0", id, result: { sessionId: "s1" } });
    peer.send(chunk("behind"));
    const session = await opening;
    expect(seen).toEqual([]);
    const iterated: string[] = [];
    void (async () => {
      for await (const update of session.updates) iterated.push(textOf(update));
    })();
    await expect.poll(() => iterated).toEqual(["early", "behind"]);
    expect(seen).toEqual(["early", "behind"]);
    expect(connected.diagnostics).toEqual([]);
  });

  it("drops the updates of a session that nobody claims or looks at, with a diagnostic that has them", async () => {
    const { peer, agent, diagnostics } = await connect();
    for (let i = 0; i <= 1000; i++) peer.send(chunk(String(i), "stranger"));
    await peer.settle();
    const stranger = { type: "unclaimed-session", sessionId: "stranger" };
    expect(diagnostics).toMatchObject([{ ...stranger, received: [] }, stranger]);
    expect((diagnostics[1] as { received: unknown[] }).received).toHaveLength(1001);
    await agent.close();
  });

  it("limits the memory for all sessions that nobody opens, and discards the oldest first", async () => {
    const { peer, agent, diagnostics } = await connect();
    const text = "x".repeat(1024 * 1024);
    for (let i = 1; i <= 40; i++) peer.send(chunk(text, `stranger ${i}`));
    await peer.settle();
    const told = diagnostics.filter((diagnostic) => diagnostic.type === "unclaimed-session");
    const dropped = told.filter(({ received }) => received.length > 0);
    expect(dropped.map(({ sessionId }) => sessionId)).toEqual(
      Array.from({ length: 9 }, (_, index) => `stranger ${index + 1}`),
    );
    expect([told.length, diagnostics.length]).toEqual([49, 49]);
    await agent.close();
  });

  it("has its history as updates while it is loaded, before the answer", async () => {
    const seen: string[] = [];
    const { peer, agent } = await connect(
      {
        "session/update": async ({ update }: Received.SessionNotification) => {
          await delay(2);
          seen.push(textOf(update));
        },
      },
      { loadSession: true },
    );
    const loading = agent.loadSession({ sessionId: "s1", cwd: "/project" });
    const { id } = await peer.next(({ method }) => method === "session/load");
    for (const text of ["a", "b", "c"]) peer.send(chunk(text));
    peer.send({ jsonrpc: "2.0", id, result: null });
    const session = await loading;
    expect(seen).toEqual(["a", "b", "c"]);
    const { value } = (await session.updates[Symbol.asyncIterator]().next()) as { value: Received.SessionUpdate };
    expect(textOf(value)).toBe("a");
  });

  it("keeps its mode up to date", async () => {
    const connected = await connect();
    const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
    const session = await openSession(connected, { modes });
    expect(session.modes?.currentModeId).toBe("ask");
    const update = { sessionUpdate: "current_mode_update", currentModeId: "code" };
    connected.peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", update } });
    await expect.poll(() => session.modes?.currentModeId).toBe("code");
  });

  it("passes an unknown update on with its received members (UPD-07)", async () => {
    const updates: Received.SessionUpdate[] = [];
    const connected = await connect({
      "session/update": ({ update }: Received.SessionNotification) => void updates.push(update),
    });
    await openSession(connected);
    const update = { sessionUpdate: "_brand_new", more: [1] };
    connected.peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", update } });
    await expect.poll(() => updates).toHaveLength(1);
    expect(updates).toEqual([{ sessionUpdate: unknownVariant, received: update }]);
    expect(connected.diagnostics).toMatchObject([{ type: "tolerated", issues: [{ action: "unknown" }] }]);
  });

  it("reports once that its updates reach nobody", async () => {
    const connected = await connect();
    await openSession(connected);
    await connected.peer.settle();
    connected.peer.send(chunk("a"));
    connected.peer.send(chunk("b"));
    await connected.peer.settle();
    expect(connected.diagnostics).toMatchObject([{ type: "unobserved-updates", sessionId: "s1" }]);
  });

  it("reports that the history it was loaded with has reached nobody, unless somebody asked in time", async () => {
    const load = async (ask: (session: ClientSession) => unknown, handlers: object = {}): Promise<Diagnostic[]> => {
      const { peer, agent, diagnostics } = await connect(handlers, { loadSession: true });
      const loading = agent.loadSession({ sessionId: "s1", cwd: "/project" });
      const { id } = await peer.next(({ method }) => method === "session/load");
      for (const text of ["a", "b"]) peer.send(chunk(text));
      peer.send({ jsonrpc: "2.0", id, result: {} });
      ask(await loading);
      await peer.settle();
      return diagnostics;
    };
    expect(await load(() => {})).toMatchObject([
      { type: "unobserved-updates", sessionId: "s1", message: expect.stringContaining("right after") },
    ]);
    expect(await load((session) => session.observe(() => {}))).toEqual([]);
    expect(await load(({ updates }) => updates[Symbol.asyncIterator]())).toEqual([]);
    expect(await load(() => {}, { "session/update": () => {} })).toEqual([]);
  });

  it("ends with its connection: signal and updates explain why", async () => {
    const connected = await connect();
    const session = await openSession(connected);
    const reading = collect(session.updates);
    reading.catch(() => {});
    await connected.peer.close();
    await expect(reading).rejects.toMatchObject({ code: "connection_closed" });
    expect(session.signal.aborted).toBe(true);
  });
});
