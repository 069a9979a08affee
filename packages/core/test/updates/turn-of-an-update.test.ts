// An update belongs to the turn in which it arrived: after its prompt was sent, and before the agent answered it.
import { describe, expect, it } from "vitest";
import { createSessionState } from "../../src/state/v1/session-store.ts";
import type { ClientSession } from "../../src/v1/client-session.ts";
import { answer, type Connected, connectRawAgent, refusal } from "../support/raw-agent.ts";
import { openRawSession } from "../support/raw-agent-v2.ts";
import type { RawPeer } from "../support/raw-peer.ts";

type Options = Parameters<typeof connectRawAgent>[0];

function say(peer: RawPeer, text: string, more: object = {}): void {
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text }, ...more };
  peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
}

async function textsOf(updates: AsyncIterable<object>): Promise<string[]> {
  const texts: string[] = [];
  for await (const update of updates) {
    const { content } = update as { readonly content?: { readonly text?: string } };
    if (content?.text !== undefined) texts.push(content.text);
  }
  return texts;
}

/** Handlers of updates, the first of which goes on when it is told to. */
function slowHandler() {
  let goOn = (): void => {};
  const first = new Promise<void>((resolve) => (goOn = resolve));
  return { goOn: () => goOn(), handlers: { "session/update": () => first } };
}

const calledPrompt = (peer: RawPeer): Promise<Record<string, unknown>> =>
  peer.next(({ method }) => method === "session/prompt");
const done = { result: { stopReason: "end_turn" } };

/** The state of a session, and the kinds of events that it is made of. */
function watched(session: ClientSession) {
  const types: string[] = [];
  return { store: createSessionState(session, { onEvent: ({ type }) => types.push(type) }), types };
}

const question = {
  jsonrpc: "2.0",
  id: "q",
  method: "session/request_permission",
  params: { sessionId: "s", toolCall: { toolCallId: "c", title: "T" }, options: [] },
};

/** A session that is loaded: a history comes before, with and after the answer, and the prompt is sent at once. */
async function loaded(options: Options, use: (session: ClientSession) => void): Promise<Connected> {
  const connected = await connectRawAgent(options);
  const { peer, agent } = connected;
  const opening = agent.loadSession({ sessionId: "s", cwd: "/p" }).then(use);
  const { id } = await peer.next(({ method }) => method === "session/load");
  say(peer, "before");
  peer.send({ jsonrpc: "2.0", id, result: {} });
  say(peer, "with");
  await opening;
  return connected;
}

async function opened(options: Options = {}) {
  const { peer, agent } = await connectRawAgent({ handlers: { "session/update": () => {} }, ...options });
  const opening = agent.newSession({ cwd: "/p" });
  await answer(peer, "session/new", { result: { sessionId: "s" } });
  const session = await opening;
  await peer.settle();
  return { peer, agent, session };
}

describe("an update of version 1", () => {
  it("of a history does not join the turn whose prompt is sent after it", async () => {
    let texts: Promise<string[]> | undefined;
    let state: ReturnType<typeof createSessionState> | undefined;
    const { peer, agent } = await loaded({}, (session) => {
      state = createSessionState(session);
      texts = textsOf(session.prompt("two").updates);
    });
    const { id } = await calledPrompt(peer);
    say(peer, "new");
    peer.send({ jsonrpc: "2.0", id, ...done });
    expect(await texts).toEqual(["new"]);
    // A state shows the history before the prompt.
    const timeline = JSON.stringify(state?.state.timeline.slice());
    const places = ["before", "with", "two", "new"].map((text) => timeline.indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    await agent.close();
  });

  it("that waits for a handler when a prompt is sent does not join its turn", async () => {
    const { goOn, handlers } = slowHandler();
    const { peer, agent, session } = await opened({ handlers });
    for (const text of ["old", "older"]) say(peer, text);
    await peer.settle();
    const types: string[] = [];
    session.observe(({ type }) => void types.push(type));
    const turn = session.prompt("hi");
    const texts = textsOf(turn.updates);
    const { id } = await calledPrompt(peer);
    say(peer, "new");
    await peer.settle();
    goOn();
    await peer.settle();
    peer.send({ jsonrpc: "2.0", id, ...done });
    expect(await texts).toEqual(["new"]);
    await turn.response;
    expect(types).toEqual(["opened", "update", "turn_started", "update", "turn_ended"]);
    await agent.close();
  });

  it("that waits does not keep the start of a turn after a question of it, whose call ends with the turn", async () => {
    const { goOn, handlers } = slowHandler();
    const { peer, agent, session } = await opened({
      handlers: { ...handlers, "session/request_permission": () => new Promise(() => {}) },
    });
    for (const text of ["old", "older"]) say(peer, text);
    await peer.settle();
    const { store, types } = watched(session);
    const turns = [session.prompt("one"), session.prompt("two")];
    await calledPrompt(peer);
    peer.send(question);
    await peer.settle();
    expect(types).toEqual(["opened", "turn_started", "permission_requested"]);
    turns[0]?.cancel();
    expect(store.state.timeline.slice().at(-2)).toMatchObject({ toolCallId: "c", status: "cancelled" });
    expect(types.slice(3)).toEqual(["turn_cancelled", "turn_started", "turn_cancelled"]);
    goOn();
    await agent.close();
  });

  it("that arrives after an answer belongs to the next prompt, even if the answer waits for a handler", async () => {
    const { goOn, handlers } = slowHandler();
    const { peer, agent, session } = await opened({ handlers });
    const turns = [session.prompt("one"), session.prompt("two")];
    const texts = turns.map(({ updates }) => textsOf(updates));
    const [first, second] = [await calledPrompt(peer), await calledPrompt(peer)];
    for (const text of ["a", "b"]) say(peer, text);
    peer.send({ jsonrpc: "2.0", id: first.id, ...done });
    say(peer, "c");
    await peer.settle();
    goOn();
    await turns[0]?.response;
    peer.send({ jsonrpc: "2.0", id: second.id, ...done });
    expect(await Promise.all(texts)).toEqual([["a", "b"], ["c"]]);
    await agent.close();
  });

  it("that arrives after its turn has ended does not join a later one", async () => {
    const { peer, agent, session } = await opened();
    const all = textsOf(session.updates);
    const run = async (prompt: string, behind: readonly string[]): Promise<string[]> => {
      const turn = session.prompt(prompt);
      const texts = textsOf(turn.updates);
      const { id } = await calledPrompt(peer);
      say(peer, prompt);
      peer.send({ jsonrpc: "2.0", id, ...done });
      for (const text of behind) say(peer, text);
      await turn.response;
      return texts;
    };
    expect(await run("one", ["late"])).toEqual(["one"]);
    expect(await run("two", [])).toEqual(["two"]);
    await agent.close();
    expect(await all).toEqual(["one", "late", "two"]);
  });

  it("that arrives while the prompt waits for a login does not join its turn, and does not keep it from being repeated", async () => {
    let logIn: ((method: string) => void) | undefined;
    const { goOn, handlers } = slowHandler();
    const { peer, agent, session } = await opened({
      handlers,
      authenticate: () => new Promise((resolve) => (logIn = resolve)),
    });
    for (const text of ["old", "older"]) say(peer, text);
    await peer.settle();
    const turn = session.prompt("hi");
    const texts = textsOf(turn.updates);
    await answer(peer, "session/prompt", { error: refusal });
    await peer.settle();
    goOn();
    await expect.poll(() => logIn).toBeDefined();
    say(peer, "meanwhile", { sessionUpdate: "session_info_update", title: "A" });
    await peer.settle();
    logIn?.("a");
    await answer(peer, "authenticate", { result: {} });
    const { id } = await calledPrompt(peer);
    say(peer, "new");
    peer.send({ jsonrpc: "2.0", id, ...done });
    await turn.response;
    expect(await texts).toEqual(["new"]);
    await agent.close();
  });
});

describe("an update of version 2", () => {
  const idle = { stopReason: "end_turn" };

  it("that waits for a handler when a prompt is sent does not join its turn", async () => {
    const { goOn, handlers } = slowHandler();
    const { peer, session, state, answer: answerCall, agent } = await openRawSession({ handlers });
    for (const text of ["old", "older"]) say(peer, text, { messageId: "m" });
    await peer.settle();
    const types: string[] = [];
    session.observe(({ type }) => void types.push(type));
    const turn = session.prompt("hi");
    const texts = textsOf(turn.updates);
    await answerCall("session/prompt", { result: { messageId: "u" } });
    state("running");
    say(peer, "new", { messageId: "n" });
    state("idle", idle);
    await peer.settle();
    goOn();
    await turn.finished;
    expect(await texts).toEqual(["new"]);
    expect(types.indexOf("turn_started")).toBe(types.indexOf("update") + 1);
    await agent.close();
  });

  it("belongs to the steered turn until the idle state arrives, which may wait for a handler, and then to the next", async () => {
    const { goOn, handlers } = slowHandler();
    const { peer, session, state, answer: answerCall, agent } = await openRawSession({ handlers });
    const first = session.prompt("one");
    await answerCall("session/prompt", { result: { messageId: "u1" } });
    state("running");
    say(peer, "a", { messageId: "m" });
    const texts = [textsOf(first.updates)];
    await peer.settle();
    state("idle", idle);
    await peer.settle();
    const second = session.prompt("two");
    texts.push(textsOf(second.updates));
    await answerCall("session/prompt", { result: { messageId: "u2" } });
    state("running");
    say(peer, "b", { messageId: "n" });
    await peer.settle();
    goOn();
    await first.finished;
    state("idle", idle);
    await second.finished;
    expect(await Promise.all(texts)).toEqual([["a"], ["b"]]);
    await agent.close();
  });
});
