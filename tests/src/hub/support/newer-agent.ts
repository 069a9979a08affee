import { createAgent } from "@acp/core/v2";
import { serveStdio } from "@acp/node";

// An agent of version 2 alone, whose sessions can be opened again: `pid` says its process, `hold` waits until it is cancelled.
await serveStdio(
  createAgent({
    info: { name: "newer-agent", version: "1.0.0" },
    handlers: {
      "session/resume": () => ({}),
      "session/prompt": async ({ prompt: [block] }, { turn, signal }) => {
        const word = block?.type === "text" ? block.text : "";
        await turn.message(word === "pid" ? `${process.pid} ` : `${word} `);
        if (word === "hold") await new Promise((_resolve, reject) => signal.addEventListener("abort", reject));
        return { stopReason: "end_turn" };
      },
    },
  }),
);
