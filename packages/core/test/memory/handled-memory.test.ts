import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, it } from "vitest";
import { answer, connectRawAgent } from "../support/raw-agent.ts";
import type { RawPeer } from "../support/raw-peer.ts";

const count = 10;

function sendUpdates(peer: RawPeer): void {
  for (let index = 0; index < count; index++) {
    const update = { sessionUpdate: "tool_call_update", toolCallId: "t", rawOutput: "large" };
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
  }
}

/** Ends once nearly all of them are gone. */
async function collected(refs: readonly WeakRef<object>[]): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // What was used last may still be held by the engine.
  while (refs.filter((ref) => ref.deref() !== undefined).length > 1) {
    // Whoever looks at it holds it until the end of the macrotask.
    await new Promise((resolve) => setTimeout(resolve, 5));
    collect();
  }
}

describe("releases handled messages, even if more wait after them", () => {
  it("by a handler of updates", async () => {
    const handled: WeakRef<object>[] = [];
    let isDone = (): void => {};
    const { peer, agent } = await connectRawAgent({
      handlers: {
        "session/update": async ({ update }) => {
          if (handled.length < count - 2) {
            await Promise.resolve();
            handled.push(new WeakRef(update));
          } else await new Promise<void>((resolve) => (isDone = resolve));
        },
      },
    });
    const opening = agent.newSession({ cwd: "/project" });
    await answer(peer, "session/new", { result: { sessionId: "s" } });
    await opening;
    sendUpdates(peer);
    await peer.settle();
    await collected(handled);
    isDone();
    await agent.close();
  });

  it("by a loop over updates", async () => {
    const { peer, agent } = await connectRawAgent({});
    const opening = agent.newSession({ cwd: "/project" });
    await answer(peer, "session/new", { result: { sessionId: "s" } });
    const iterator = (await opening).updates[Symbol.asyncIterator]();
    sendUpdates(peer);
    await peer.settle();
    const read = async (): Promise<WeakRef<object>> => new WeakRef((await iterator.next()).value as object);
    const taken: WeakRef<object>[] = [];
    while (taken.length < count - 2) taken.push(await read());
    await collected(taken);
    await agent.close();
  });
});
