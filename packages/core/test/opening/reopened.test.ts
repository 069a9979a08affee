// A client whose agent opens, or is asked to open, a session under an id that is in use.
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { createSessionState } from "../../src/state/v1/entry.ts";
import { answer, connectRawAgent, methodsOf, refusal as loginRefusal } from "../support/raw-agent.ts";
import type { RawPeer } from "../support/raw-peer.ts";

const setup = { cwd: "/project" };

describe("a client whose agent answers session/new with the id of an open session", () => {
  it("ends the earlier one as if it was loaded again, and reports it", async () => {
    const diagnostics: Diagnostic[] = [];
    const { peer, agent } = await connectRawAgent({ onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
    const opening = agent.newSession(setup);
    await answer(peer, "session/new", { result: { sessionId: "s1" } });
    const first = await opening;
    const turn = first.prompt("Hello", { cancelGrace: 20 });
    const rest = first.updates[Symbol.asyncIterator]().next();

    const again = agent.newSession({ cwd: "/other" });
    await answer(peer, "session/new", { result: { sessionId: "s1" } });
    const second = await again;
    expect([first.signal.aborted, second.signal.aborted]).toEqual([true, false]);
    expect(agent.session("s1")).toBe(second);
    expect(await rest).toEqual({ done: true, value: undefined });
    await expect(turn.response).rejects.toMatchObject({ code: "timeout", phase: "cancel" });
    await expect(first.prompt("Hello").response).rejects.toMatchObject({ code: "usage" });
    expect(diagnostics).toEqual([
      expect.objectContaining({ type: "rule", method: "session/new", rule: "SESS-02", sessionId: "s1" }),
    ]);
    await agent.close();
    expect(second.signal.aborted).toBe(true);
  });
});

it("has no session that ended while it was loaded again, if that fails", async () => {
  const { peer, agent } = await connectRawAgent({});
  const opening = agent.newSession(setup);
  await answer(peer, "session/new", { result: { sessionId: "s1" } });
  const session = await opening;
  const closing = session.close();
  const loading = agent.loadSession({ sessionId: "s1", ...setup });
  await answer(peer, "session/close", { result: {} });
  await closing;
  await answer(peer, "session/load", { error: { code: -32603, message: "no" } });
  await expect(loading).rejects.toThrow("no");
  expect(agent.session("s1")).toBeUndefined();
});

it("reports where a session is, as it was opened last", async () => {
  const { peer, agent } = await connectRawAgent({ gate: "diagnose" });
  for (const place of [{ cwd: "/a", additionalDirectories: ["/b"] }, { cwd: "/a" }]) {
    const loading = agent.loadSession({ sessionId: "s1", ...place });
    // oxlint-disable-next-line no-await-in-loop -- one after another
    await answer(peer, "session/load", { result: {} });
    // oxlint-disable-next-line no-await-in-loop
    expect(await loading).toMatchObject({ additionalDirectories: [], ...place });
  }
});

it("keeps a session that was opened again while the one before was closed", async () => {
  const { peer, agent } = await connectRawAgent({});
  const opening = agent.newSession(setup);
  await answer(peer, "session/new", { result: { sessionId: "s1" } });
  const closing = (await opening).close();
  const loading = agent.loadSession({ sessionId: "s1", ...setup });
  await answer(peer, "session/load", { result: {} });
  const session = await loading;
  // Its calls are all that was sent before: the answer of the first of them comes last.
  const { id } = peer.received.find(({ method }) => method === "session/close") ?? {};
  peer.send({ jsonrpc: "2.0", id, result: {} });
  await closing;
  expect([agent.session("s1"), session.signal.aborted]).toEqual([session, false]);
});

describe("updates that come while a session is opened, which then fails", () => {
  const chunk = (text: string): object => ({
    jsonrpc: "2.0",
    method: "session/update",
    params: { sessionId: "s1", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
  });
  const refused = { error: { code: -32603, message: "no" } };

  it("are those of the open session that it would have replaced", async () => {
    const diagnostics: Diagnostic[] = [];
    const { peer, agent } = await connectRawAgent({ onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
    const opening = agent.newSession(setup);
    await answer(peer, "session/new", { result: { sessionId: "s1" } });
    const session = await opening;
    const turn = session.prompt("Hello");
    const texts: string[] = [];
    const reading = (async () => {
      for await (const update of turn.updates)
        if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
          texts.push(update.content.text);
    })();
    const { id } = await peer.next(({ method }) => method === "session/prompt");
    peer.send(chunk("before"));
    const resuming = agent.resumeSession({ sessionId: "s1", ...setup });
    const { id: resumed } = await peer.next(({ method }) => method === "session/resume");
    peer.send(chunk("meanwhile"));
    peer.send({ jsonrpc: "2.0", id: resumed, ...refused });
    await expect(resuming).rejects.toThrow("no");
    peer.send(chunk("after"));
    peer.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
    await reading;
    expect(texts).toEqual(["before", "meanwhile", "after"]);
    expect(diagnostics).toEqual([]);
  });

  it.each(["load", "resume"] as const)("are reported if no receiver saw them, to %s", async (how) => {
    const diagnostics: Diagnostic[] = [];
    const { peer, agent } = await connectRawAgent({ onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
    const params = { sessionId: "s1", ...setup };
    const opening = how === "load" ? agent.loadSession(params) : agent.resumeSession(params);
    const { id } = await peer.next(({ method }) => method === `session/${how}`);
    peer.send(chunk("why"));
    peer.send({ jsonrpc: "2.0", id, ...refused });
    await expect(opening).rejects.toThrow("no");
    expect(diagnostics).toMatchObject([
      { type: "unclaimed-session", sessionId: "s1", received: [(chunk("why") as { params: unknown }).params] },
    ]);
  });

  it("are not reported where the replay after a login repeats them", async () => {
    const diagnostics: Diagnostic[] = [];
    const { peer, agent } = await connectRawAgent({
      authenticate: () => "a",
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    });
    const loading = agent.loadSession({ sessionId: "s1", ...setup });
    const { id } = await peer.next(({ method }) => method === "session/load");
    peer.send(chunk("history"));
    peer.send({ jsonrpc: "2.0", id, error: loginRefusal });
    await answer(peer, "authenticate", { result: {} });
    const { id: again } = await peer.next((message) => message["method"] === "session/load" && message["id"] !== id);
    peer.send(chunk("history"));
    peer.send({ jsonrpc: "2.0", id: again, result: {} });
    const { value } = await (await loading).updates[Symbol.asyncIterator]().next();
    expect(value).toMatchObject({ content: { text: "history" } });
    expect(diagnostics).toEqual([]);
  });
});

it("has no session for an update without an id, even while one is opened", async () => {
  const sessions: unknown[] = [];
  const { peer, agent } = await connectRawAgent({
    handlers: { _ask: (_params, { session }) => sessions.push(session) },
  });
  const opening = agent.newSession(setup);
  const { id } = await peer.next(({ method }) => method === "session/new");
  await peer.call("_ask", {});
  peer.send({ jsonrpc: "2.0", id, result: { sessionId: "s1" } });
  await opening;
  await peer.call("_ask");
  expect(sessions).toEqual([undefined, undefined]);
});

it("reports at the end of the connection the updates for a session that nobody opened", async () => {
  const diagnostics: Diagnostic[] = [];
  const { peer } = await connectRawAgent({ onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
  const params = { sessionId: "s1", update: { sessionUpdate: "session_info_update", title: "Nobody's" } };
  peer.send({ jsonrpc: "2.0", method: "session/update", params });
  await peer.settle();
  expect(diagnostics).toEqual([]);
  await peer.close();
  await peer.settle();
  expect(diagnostics).toMatchObject([{ type: "unclaimed-session", sessionId: "s1", received: [params] }]);
});

describe("a session that the agent sent an update for while it was not open", () => {
  it.each(["before it is loaded", "while somebody logs in for it"])(
    "has its history while it comes: %s",
    async (when) => {
      const diagnostics: Diagnostic[] = [];
      const { peer, agent } = await connectRawAgent({
        authenticate: () => "a",
        onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      });
      const tell = (update: object): void =>
        peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", update } });
      const title = { sessionUpdate: "session_info_update", title: "Found meanwhile" };
      if (when.startsWith("before")) tell(title);
      await peer.settle();
      const loading = agent.loadSession({ sessionId: "s1", ...setup });
      const store = createSessionState(agent.session("s1")!);
      if (when.startsWith("while")) {
        await answer(peer, "session/load", { error: loginRefusal });
        tell(title);
        await answer(peer, "authenticate", { result: {} });
      }
      const { id } = await peer.next(({ method }) => method === "session/load");
      tell({ sessionUpdate: "tool_call", toolCallId: "c", title: "Left unfinished", status: "in_progress" });
      await peer.settle();
      expect(store.state).toMatchObject({ info: { title: "Found meanwhile" }, timeline: { length: 1 } });
      expect(store.state.timeline.at(0)).toMatchObject({ status: "in_progress" });
      peer.send({ jsonrpc: "2.0", id, result: {} });
      await loading;
      expect(store.state.timeline.at(0)).toMatchObject({ status: "cancelled" });
      expect(diagnostics).toEqual([]);
    },
  );
});

describe("a client whose agent goes right after the answer that opens a session", () => {
  it("has the call rejected with how the connection ended", async () => {
    const { peer, agent } = await connectRawAgent({});
    const opening = agent.newSession(setup);
    const rejected = expect(opening).rejects.toMatchObject({ code: "connection_closed" });
    await answer(peer, "session/new", { result: { sessionId: "s1" } });
    await peer.close();
    await rejected;
  });
});

describe("a client that opens a session which is being opened already", () => {
  it.each(["loadSession", "resumeSession"] as const)("has %s rejected, and continues with the first", async (open) => {
    const { peer, agent } = await connectRawAgent({});
    const params = { sessionId: "s1", ...setup };
    const loading = agent.loadSession(params);
    await expect(agent[open](params)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("'s1' is being opened already"),
    });
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Before." } };
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1", update } });
    await answer(peer, "session/load", { result: {} });
    const session = await loading;
    expect(methodsOf(peer)).toEqual(["initialize", "session/load"]);
    const { value } = await session.updates[Symbol.asyncIterator]().next();
    expect(value).toMatchObject(update);
    // Once it is open, it can be opened again.
    const again = agent.loadSession(params);
    await answer(peer, "session/load", { result: {} });
    expect(await again).not.toBe(session);
  });
});

/** Answers a call that another one may have followed. */
async function answerEarlier(
  peer: RawPeer,
  method: string,
  outcome: { result: unknown } | { error: unknown },
): Promise<void> {
  await peer.settle();
  const { id } = peer.received.findLast((message) => message["method"] === method)!;
  peer.send({ jsonrpc: "2.0", id, ...outcome });
}

describe("a session that a client opens again", () => {
  /** A client with an open session, which it loads again. */
  async function loadingAgain() {
    const connected = await connectRawAgent({});
    const { peer, agent } = connected;
    const opening = agent.newSession(setup);
    await answer(peer, "session/new", { result: { sessionId: "s1" } });
    const session = await opening;
    const events: string[] = [];
    session.observe(({ type }) => events.push(type));
    const iteration = session.updates[Symbol.asyncIterator]().next();
    const loading = agent.loadSession({ sessionId: "s1", ...setup });
    loading.catch(() => {});
    await peer.settle();
    return { ...connected, session, events, iteration, loading };
  }

  it("ends with a connection that is closed meanwhile", async () => {
    const { agent, session, events, iteration, loading } = await loadingAgain();
    await agent.close();
    await expect(loading).rejects.toMatchObject({ code: "connection_closed" });
    expect(session.signal.aborted).toBe(true);
    expect(events).toEqual(["opened", "closed"]);
    expect(await iteration).toEqual({ done: true, value: undefined });
  });

  it("ends with a connection that is lost meanwhile, for the same reason", async () => {
    const { peer, session, events, iteration, loading } = await loadingAgain();
    iteration.catch(() => {});
    await peer.close();
    await expect(loading).rejects.toMatchObject({ code: "connection_closed" });
    expect(session.signal.aborted).toBe(true);
    expect(events).toEqual(["opened", "closed"]);
    await expect(iteration).rejects.toMatchObject({ code: "connection_closed" });
  });

  it("ends if it is closed before it cannot be opened again", async () => {
    const { peer, agent, session, loading } = await loadingAgain();
    const closing = agent.session("s1")?.close();
    await answer(peer, "session/close", { result: {} });
    await closing;
    await answerEarlier(peer, "session/load", { error: { code: -32603, message: "no" } });
    await expect(loading).rejects.toThrow("no");
    expect(session.signal.aborted).toBe(true);
    expect(agent.session("s1")).toBeUndefined();
  });

  it("ends if it cannot be opened again before it is closed", async () => {
    const { peer, agent, session, events, loading } = await loadingAgain();
    const closing = agent.session("s1")?.close();
    await answer(peer, "session/load", { error: { code: -32603, message: "no" } });
    await expect(loading).rejects.toThrow("no");
    expect(session.signal.aborted).toBe(false);
    await answer(peer, "session/close", { result: {} });
    await closing;
    expect(session.signal.aborted).toBe(true);
    expect(events).toEqual(["opened", "closed"]);
    expect(agent.session("s1")).toBeUndefined();
  });
});

describe("a session that a client closes while it is being opened", () => {
  const params = { sessionId: "s1", ...setup };
  const isEnded = { code: "usage", message: expect.stringContaining("has ended while it was being opened") };

  it("is not opened by an answer that comes later", async () => {
    const { peer, agent } = await connectRawAgent({});
    const resuming = agent.resumeSession(params);
    resuming.catch(() => {});
    const shown = agent.session("s1");
    const events: string[] = [];
    shown?.observe(({ type }) => events.push(type));
    const closing = shown?.close();
    await answer(peer, "session/close", { result: {} });
    await closing;
    await answerEarlier(peer, "session/resume", { result: {} });
    await expect(resuming).rejects.toMatchObject(isEnded);
    expect(agent.session("s1")).toBeUndefined();
    expect(events).toEqual(["closed"]);
  });

  it("is over though both answers arrive at once", async () => {
    const { peer, agent } = await connectRawAgent({});
    const resuming = agent.resumeSession(params);
    const closing = agent.session("s1")?.close();
    const [{ id: first }, { id: second }] = [
      await peer.next(({ method }) => method === "session/resume"),
      await peer.next(({ method }) => method === "session/close"),
    ];
    peer.send({ jsonrpc: "2.0", id: first, result: {} });
    peer.send({ jsonrpc: "2.0", id: second, result: {} });
    await expect(resuming).rejects.toMatchObject(isEnded);
    await closing;
    expect(agent.session("s1")).toBeUndefined();
  });
});
