// A client that sends a prompt while a turn runs, to an agent that takes one after the other, or both at once.
import { describe, expect, it } from "vitest";
import type { ClientSession, Turn } from "../../src/v1/index.ts";
import { createSessionState, joinText } from "../../src/state/v1/entry.ts";
import { answer, connectRawAgent, methodsOf, refusal } from "../support/raw-agent.ts";
import type { RawPeer } from "../support/raw-peer.ts";

const chunk = (text: string): object => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
});

interface Run {
  readonly peer: RawPeer;
  readonly session: ClientSession;
  readonly ids: readonly unknown[];
  readonly turns: readonly Turn[];
  /** What each turn was told, once both are over. */
  texts(): Promise<readonly string[]>;
}

async function twoPrompts(options: Parameters<typeof connectRawAgent>[0] = {}): Promise<Run> {
  const { peer, agent } = await connectRawAgent(options);
  const opening = agent.newSession({ cwd: "/" });
  await answer(peer, "session/new", { result: { sessionId: "s" } });
  const session = await opening;
  const turns = [session.prompt("one"), session.prompt("two")];
  const heard = turns.map((turn) => textOf(turn));
  const prompts = [await peer.next(isPrompt), await peer.next(isPrompt)];
  return { peer, session, turns, ids: prompts.map(({ id }) => id), texts: () => Promise.all(heard) };
}

const isPrompt = ({ method }: { method?: unknown }): boolean => method === "session/prompt";

async function textOf(turn: Turn): Promise<string> {
  let text = "";
  try {
    for await (const update of turn.updates) {
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") text += update.content.text;
    }
  } catch {
    text += "!";
  }
  return text;
}

const end = { result: { stopReason: "end_turn" } };
const error = { error: { code: -32603, message: "Internal error" } };

describe("two prompts of a client at once", () => {
  it.each([
    ["is answered", end, "a"],
    ["fails", error, "a!"],
  ])(
    "have their own updates, whatever follows directly after the answer, where the first one %s",
    async (_how, first, told) => {
      const { peer, session, ids, texts } = await twoPrompts();
      const store = createSessionState(session);
      peer.send(chunk("a"));
      peer.send({ jsonrpc: "2.0", id: ids[0], ...first });
      peer.send(chunk("b"));
      peer.send({ jsonrpc: "2.0", id: ids[1], ...end });
      expect(await texts()).toEqual([told, "b"]);
      // Not one message: a turn was over in between.
      const messages = [...store.state.timeline].flatMap((item) => (item.type === "agent_message" ? [item] : []));
      expect(messages.map(({ chunks }) => joinText(chunks))).toEqual(["a", "b"]);
      expect(store.state.runningTurn).toBeUndefined();
    },
  );

  it("may be answered in the other order: updates belong to the oldest unanswered turn", async () => {
    const { peer, session, ids, turns, texts } = await twoPrompts();
    const store = createSessionState(session);
    const call = (update: object): object => ({
      jsonrpc: "2.0",
      method: "session/update",
      params: { sessionId: "s", update: { toolCallId: "c", ...update } },
    });
    peer.send(chunk("a"));
    peer.send(call({ sessionUpdate: "tool_call", title: "c" }));
    peer.send(chunk("b"));
    peer.send({ jsonrpc: "2.0", id: ids[1], ...end });
    expect(await turns[1]?.response).toEqual({ stopReason: "end_turn" });
    // The first one runs on, and so does its call.
    expect([...store.state.turns].map(({ status }) => status)).toEqual(["running", "ended"]);
    expect([...store.state.timeline].find(({ type }) => type === "tool_call")).toMatchObject({ status: "pending" });
    peer.send(chunk("c"));
    peer.send(call({ sessionUpdate: "tool_call_update", status: "completed" }));
    peer.send({ jsonrpc: "2.0", id: ids[0], ...end });
    expect(await texts()).toEqual(["abc", ""]);
    expect(store.state.runningTurn).toBeUndefined();
    expect([...store.state.timeline].find(({ type }) => type === "tool_call")).toMatchObject({ status: "completed" });
    const messages = [...store.state.timeline].flatMap((item) => (item.type === "agent_message" ? [item] : []));
    expect(messages.map(({ chunks }) => joinText(chunks)).join("")).toBe("abc");
  });

  it("have their own updates after a handler that takes its time, too", async () => {
    const { peer, ids, texts } = await twoPrompts({
      handlers: { "session/update": () => new Promise((resolve) => void setTimeout(resolve, 1)) },
    });
    for (const message of [chunk("a"), { id: ids[0], ...end }, chunk("b"), { id: ids[1], ...end }]) {
      peer.send({ jsonrpc: "2.0", ...message });
    }
    expect(await texts()).toEqual(["a", "b"]);
  });

  it("continue after a login that the second one needs, though the first one had updates", async () => {
    const { peer, ids, turns, texts } = await twoPrompts({ authenticate: () => "a" });
    peer.send(chunk("a"));
    peer.send({ jsonrpc: "2.0", id: ids[0], ...end });
    peer.send({ jsonrpc: "2.0", id: ids[1], error: refusal });
    await answer(peer, "authenticate", { result: {} });
    await answer(peer, "session/prompt", end);
    expect(await texts()).toEqual(["a", ""]);
    expect(await turns[1]?.response).toEqual({ stopReason: "end_turn" });
  });

  it("are sent again in their order after a login", async () => {
    const { peer, ids, texts } = await twoPrompts({ authenticate: () => "a" });
    for (const id of ids) peer.send({ jsonrpc: "2.0", id, error: refusal });
    await answer(peer, "authenticate", { result: {} });
    const again = [await peer.next(isPrompt), await peer.next(isPrompt)];
    expect(again.map(({ params }) => (params as { prompt: { text: string }[] }).prompt[0]?.text)).toEqual([
      "one",
      "two",
    ]);
    for (const [index, { id }] of again.entries()) {
      peer.send(chunk(String(index)));
      peer.send({ jsonrpc: "2.0", id, ...end });
    }
    expect(await texts()).toEqual(["0", "1"]);
  });
});

it("withdraws a prompt before its caller, seeing the failure, sends the next one", async () => {
  const { peer, agent } = await connectRawAgent({});
  const opening = agent.newSession({ cwd: "/" });
  await answer(peer, "session/new", { result: { sessionId: "s" } });
  const session = await opening;
  session.observe(({ type }) => {
    if (type === "turn_failed") session.prompt("two");
  });
  const turn = session.prompt("one", { cancelGrace: 1 });
  turn.cancel();
  await expect(turn.response).rejects.toThrow("within 1 ms");
  await peer.settle();
  expect(methodsOf(peer).slice(2, 6)).toEqual([
    "session/prompt",
    "session/cancel",
    "$/cancel_request",
    "session/prompt",
  ]);
});
