// What a client makes of updates that wait for a slow handler when their session is closed or opened again.
import { expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { answer, connectRawAgent } from "../support/raw-agent.ts";
import type { ClientSession } from "../../src/v1/client-session.ts";

interface Handled {
  readonly text: string;
  readonly session: ClientSession | undefined;
}

/** A client with an open session, whose handler the test lets go on. */
async function connect() {
  const diagnostics: Diagnostic[] = [];
  const handled: Handled[] = [];
  const running: (() => void)[] = [];
  let isHeld = true;
  const { peer, agent } = await connectRawAgent({
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    handlers: {
      "session/update": ({ update }, { session }) => {
        const text = update.sessionUpdate === "agent_message_chunk" && update.content.type === "text";
        handled.push({ text: text ? (update.content as { text: string }).text : "", session });
        return isHeld ? new Promise<void>((resolve) => running.push(resolve)) : undefined;
      },
    },
  });
  const opening = agent.newSession({ cwd: "/project" });
  await answer(peer, "session/new", { result: { sessionId: "s" } });
  const first = await opening;
  await peer.settle();
  return {
    peer,
    agent,
    first,
    diagnostics,
    handled,
    running,
    send: (...some: string[]) => {
      for (const text of some) {
        const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
        peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
      }
    },
    goOn: async () => {
      isHeld = false;
      for (const resolve of running.splice(0)) resolve();
      await peer.settle();
    },
  };
}

const texts = (handled: readonly Handled[]): unknown => handled.map(({ text }) => text);

it("handles all updates of a session that was closed, in order, and reports none as dropped", async () => {
  const { peer, agent, first, diagnostics, handled, running, send, goOn } = await connect();
  const old = Array.from({ length: 1001 }, (_, index) => `old ${index}`);
  send(...old);
  await peer.settle();
  const closing = first.close();
  await answer(peer, "session/close", { result: {} });
  await closing;
  send("too late");
  await peer.settle();
  const resuming = agent.resumeSession({ sessionId: "s", cwd: "/project" });
  await answer(peer, "session/resume", { result: {} });
  const second = await resuming;
  send("new");
  await peer.settle();
  expect(running).toHaveLength(1);
  await goOn();
  expect(texts(handled)).toEqual([...old, "too late", "new"]);
  expect(texts(handled.filter(({ session }) => session === second))).toEqual(["new"]);
  expect(diagnostics).toEqual([]);
});

it.each(["session/load", "session/resume"] as const)(
  "contains no earlier updates in a session that %s reopened",
  async (method) => {
    const { peer, agent, first, handled, send, goOn } = await connect();
    const turn = first.prompt("Hello");
    const ofTurn: unknown[] = [];
    const iterating = (async () => {
      for await (const { sessionUpdate } of turn.updates) ofTurn.push(sessionUpdate);
    })();
    const ofFirst: string[] = [];
    first.observe(({ type }) => ofFirst.push(type));
    send("1", "2", "3");
    await peer.settle();
    const params = { sessionId: "s", cwd: "/project" };
    const opening = method === "session/load" ? agent.loadSession(params) : agent.resumeSession(params);
    const second = agent.session("s")!;
    const shown: unknown[] = [];
    second.observe((event) => {
      if (event.type === "update" && event.update.sessionUpdate === "agent_message_chunk") {
        shown.push(event.update.content);
      }
    });
    send("of the second");
    await answer(peer, "session/prompt", { result: { stopReason: "cancelled" } });
    await answer(peer, method, { result: {} });
    expect(await opening).toBe(second);
    await goOn();
    expect(shown).toEqual([{ type: "text", text: "of the second" }]);
    expect(handled.map(({ text, session }) => [text, session === second])).toEqual([
      ["1", false],
      ["2", false],
      ["3", false],
      ["of the second", true],
    ]);
    // The turn has all that was said in it, and nobody hears of the first session after its end.
    await turn.response;
    await iterating;
    expect(ofTurn).toHaveLength(3);
    expect(ofFirst.indexOf("update", ofFirst.indexOf("closed"))).toBe(-1);
  },
);
