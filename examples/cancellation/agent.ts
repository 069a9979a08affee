// An agent that goes on until it is cancelled.
import { createAgent } from "@acp/core";
import { serveStdio } from "@acp/node";
import { setTimeout } from "node:timers/promises";

async function* numbers(signal: AbortSignal): AsyncGenerator<string> {
  for (let number = 1; ; number++) {
    yield `${number}`;
    // Throws once the turn is cancelled. Pass the signal to whatever takes long: fetch, a model, a process.
    await setTimeout(20, undefined, { signal });
  }
}

const agent = createAgent({
  info: { name: "counting-agent", version: "1.0.0" },
  handlers: {
    "session/prompt": async (_params, { turn, signal }) => {
      await turn.message(numbers(signal));
      // Never reached: what the handler throws after a cancel is answered with `cancelled`.
      return { stopReason: "end_turn" };
    },
  },
});

await serveStdio(agent);
