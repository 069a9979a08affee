import { createAgent } from "@acp/core";

export const agent = createAgent({
  info: { name: "hello-agent", version: "1.0.0" },
  handlers: {
    "session/prompt": async ({ prompt }, { turn }) => {
      const text = prompt.map((block) => (block.type === "text" ? block.text : "")).join("\n");
      for (const word of `You said: ${text}`.match(/\S+\s*/g)) {
        await turn.message(word);
        await new Promise((resolve) => setTimeout(resolve, 100)); // a model takes its time
      }
      return { stopReason: "end_turn" };
    },
  },
});
