// An agent that looks something up and then writes an answer, word by word.
import { setTimeout as sleep } from "node:timers/promises";

import { createAgent } from "@acp/core";
import { serveStdio } from "@acp/node";

const answer = "There are three open orders, and the oldest one is from Monday.";

async function* words(): AsyncGenerator<string> {
  for (const word of answer.split(/(?<= )/u)) {
    yield word;
    await sleep(5);
  }
}

const agent = createAgent({
  info: { name: "order-desk", version: "1.0.0" },
  handlers: {
    "session/prompt": async (_params, { turn }) => {
      const call = await turn.toolCall({ title: "Look up orders", kind: "search" });
      await sleep(50);
      await call.complete("3 orders");
      await turn.message(words());
      return { stopReason: "end_turn" };
    },
  },
});

await serveStdio(agent);
