// An agent that lives in a worker: the other half of the connection, in the browser, too.
import { createAgent, createMessagePortTransport } from "@acp/core";

const agent = createAgent({
  info: { name: "worker-agent", version: "1.0.0" },
  handlers: {
    "session/prompt": async ({ prompt }, { turn, signal }) => {
      const [block] = prompt;
      await turn.plan([{ content: "Mend it", priority: "high", status: "in_progress" }]);
      if (block?.type === "text" && block.text === "plan") {
        while (!signal.aborted) {
          await turn.message("…");
          await new Promise((resolve) => void setTimeout(resolve, 5));
        }
        return { stopReason: "cancelled" };
      }
      const call = await turn.toolCall({ title: "Edit a file", kind: "edit" });
      const { outcome } = await call.requestPermission();
      await call.complete();
      for (const word of ["The answer was ", outcome, ", from a worker."]) await turn.message(word);
      return { stopReason: "end_turn" };
    },
  },
});

addEventListener(
  "message",
  ({ data }: MessageEvent<MessagePort>) => void agent.connect(createMessagePortTransport(data)),
  { once: true },
);
