// A handler that has seen enough, and closes the turn whose update it handles.
import { expect, it } from "vitest";
import { answer, connectRawAgent } from "../support/raw-agent.ts";
import type { Turn } from "../../src/v1/turn.ts";

/** A client whose handler does something at its first update. */
async function connect(atFirst: (turn: Turn) => Promise<void>) {
  const log: string[] = [];
  const running: { turn?: Turn } = {};
  const { peer, agent } = await connectRawAgent({
    handlers: {
      "session/update": async ({ update }) => {
        if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") return;
        const { text } = update.content;
        log.push(text);
        if (text !== "first") return;
        await atFirst(running.turn!);
        log.push("closed");
      },
    },
  });
  const opening = agent.newSession({ cwd: "/project" });
  await answer(peer, "session/new", { result: { sessionId: "s" } });
  const session = await opening;
  running.turn = session.prompt("Hello");
  void running.turn.response.then(({ stopReason }) => log.push(stopReason));
  const send = (text: string): void => {
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
  };
  return { peer, agent, log, send, turn: running.turn };
}

it.each([
  ["at once", (turn: Turn) => turn.close()],
  [
    "after a while",
    async (turn: Turn) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      await turn.close();
    },
  ],
  [
    "twice, when the answer is there already",
    async (turn: Turn) => {
      await turn.close();
      await turn.close();
      await turn[Symbol.asyncDispose]();
    },
  ],
])("may close it and wait for that, %s; the end still comes after all updates", async (_, atFirst) => {
  const { peer, agent, log, send, turn } = await connect(atFirst);
  const { id } = await peer.next(({ method }) => method === "session/prompt");
  send("first");
  send("second");
  await peer.next(({ method }) => method === "session/cancel");
  peer.send({ jsonrpc: "2.0", id, result: { stopReason: "cancelled" } });
  expect(await turn.response).toEqual({ stopReason: "cancelled" });
  expect(log).toEqual(["first", "closed", "second", "cancelled"]);
  await agent.close();
});
