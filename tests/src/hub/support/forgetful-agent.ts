import { createAgent } from "@acp/core";
import { serveStdio } from "@acp/node";

// An agent that cannot open a session again.
await serveStdio(
  createAgent({
    info: { name: "forgetful-agent", version: "1.0.0" },
    handlers: {
      "session/prompt": async ({ prompt: [block] }, { turn }) => {
        await turn.message(block?.type === "text" ? `heard ${block.text}` : "");
        return { stopReason: "end_turn" };
      },
    },
  }),
);
