import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { answer, connectRawAgent } from "../support/raw-agent.ts";

it("releases the params of a cancelled call, even if its answer never comes", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { peer, agent } = await connectRawAgent({});
  const opening = agent.newSession({ cwd: "/project" });
  await answer(peer, "session/new", { result: { sessionId: "s" } });
  const session = await opening;
  const prompt = (): WeakRef<object> => {
    const block = { type: "text" as const, text: "large" };
    const turn = session.prompt([block], { cancelGrace: 0 });
    turn.cancel();
    return new WeakRef(block);
  };
  const blocks = Array.from({ length: 10 }, prompt);
  await peer.settle();
  const isKept = (block: WeakRef<object>): boolean => block.deref() !== undefined;
  // What was used last may still be held by the engine.
  while (blocks.filter(isKept).length > 1) {
    // Whoever looks at it holds it until the end of the macrotask.
    await new Promise((resolve) => setTimeout(resolve, 5));
    collect();
  }
  expect(agent.session("s")).toBe(session);
  await agent.close();
});
