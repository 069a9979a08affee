import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { readTextFile, runCommand, writeTextFile } from "../../src/kit/v1/entry.ts";
import { createRawPeer } from "../support/raw-peer.ts";
import { answer, connectRawAgent, refusal } from "../support/raw-agent.ts";
import { type AgentTurn, createAgent } from "../../src/v1/index.ts";

const many = 20;
const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

/** A signal as others have made it: no instance of this runtime's class. */
class ForeignSignal extends EventTarget {
  aborted = false;
  reason: unknown;
}

function foreign(): Pick<AbortController, "signal" | "abort"> {
  const signal = new ForeignSignal();
  const abort = (reason: unknown): void => {
    Object.assign(signal, { aborted: true, reason });
    signal.dispatchEvent(new Event("abort"));
  };
  return { signal: signal as EventTarget as AbortSignal, abort };
}

describe.each([
  ["a signal", (): ReturnType<typeof foreign> => new AbortController()],
  ["a foreign signal", foreign],
])("%s with which many calls are made", (_name, create) => {
  it("has one listener, and none once all are answered", async () => {
    const { peer, agent } = await connectRawAgent({});
    const { signal } = create();
    const calls = Array.from({ length: many }, () => agent.request("_ask", {}, { signal }));
    expect(listenersOf(signal)).toBe(1);
    for (const _ of calls) {
      expect(listenersOf(signal)).toBe(1);
      await answer(peer, "_ask", { result: {} });
    }
    await Promise.all(calls);
    expect(listenersOf(signal)).toBe(0);
    const again = agent.request("_ask", {}, { signal });
    expect(listenersOf(signal)).toBe(1);
    await answer(peer, "_ask", { result: {} });
    await again;
  });

  it("cancels all pending calls, and no other call", async () => {
    const { peer, agent } = await connectRawAgent({});
    const stop = create();
    const { signal } = stop;
    const [answered, ...rest] = Array.from({ length: many }, () => agent.request("_ask", {}, { signal }));
    const other = agent.request("_ask", {});
    await answer(peer, "_ask", { result: 1 });
    expect(await answered).toBe(1);
    stop.abort(new Error("no more"));
    const outcomes = await Promise.allSettled(rest);
    expect(outcomes).toEqual(rest.map(() => ({ status: "rejected", reason: signal.reason })));
    expect(listenersOf(signal)).toBe(0);
    await peer.settle();
    expect(peer.received.filter(({ method }) => method === "$/cancel_request")).toHaveLength(many - 1);
    peer.send({ jsonrpc: "2.0", id: peer.received.findLast(({ method }) => method === "_ask")?.["id"], result: 2 });
    expect(await other).toBe(2);
  });

  it("has one listener for many turns and many that wait for a login", async () => {
    const { peer, agent } = await connectRawAgent({ authenticate: () => new Promise(() => {}) });
    const opening = agent.newSession({ cwd: "/project" });
    await answer(peer, "session/new", { result: { sessionId: "s" } });
    const session = await opening;
    const { signal } = create();
    const calls = Array.from({ length: many }, () => agent.newSession({ cwd: "/project" }, { signal }));
    for (const _ of calls) await answer(peer, "session/new", { error: refusal });
    const turns = Array.from({ length: many }, () => session.prompt("Hello", { signal }));
    await peer.settle();
    expect(listenersOf(signal)).toBe(1);
    await agent.close();
    await Promise.allSettled([...calls, ...turns.map(({ response }) => response)]);
    expect(listenersOf(signal)).toBe(0);
  });
});

it("the signal of a turn has one listener for all that it does in the client", async () => {
  let turn: AgentTurn | undefined;
  const agent = createAgent({
    info: { name: "test", version: "1.0.0" },
    sessionId: () => "s",
    handlers: {
      "session/prompt": async (_params, context) => {
        ({ turn } = context);
        const doing = Array.from({ length: many }, (_, index) => [
          readTextFile(context.turn, `/project/${index}`),
          writeTextFile(context.turn, `/project/${index}`, ""),
          runCommand(context.turn, { command: "test" }),
        ]);
        await Promise.allSettled(doing.flat());
        return { stopReason: "end_turn" };
      },
    },
  });
  const peer = createRawPeer((transport) => agent.connect(transport));
  const clientCapabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };
  await peer.call("initialize", { protocolVersion: 1, clientCapabilities });
  await peer.call("session/new", { cwd: "/project", mcpServers: [] });
  peer.send({ jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId: "s", prompt: [] } });
  for (let index = 0; index < many; index++) await answer(peer, "terminal/create", { result: { terminalId: "t" } });
  await peer.next(({ method }) => method === "terminal/wait_for_exit");
  await peer.settle();
  expect(turn && listenersOf(turn.signal)).toBe(1);
  await peer.close();
});
