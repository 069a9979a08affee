// The smallest agent: it answers every prompt, over stdin and stdout.
import { createAgent } from "@acp/core";
import { serveStdio } from "@acp/node";

const agent = createAgent({
  info: { name: "hello-agent", version: "1.0.0" },
  handlers: {
    "session/prompt": async ({ prompt }, { turn }) => {
      for (const block of prompt) {
        if (block.type === "text") await turn.message(`You said: ${block.text}`);
      }
      return { stopReason: "end_turn" };
    },
  },
});

await serveStdio(agent);
