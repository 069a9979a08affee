import { createAgent } from "@acp/core";
import { serveStdio } from "@acp/node";

// Answers with everything that its session holds. One prompt in three takes a little longer.
const agent = createAgent({
  info: { name: "echo", version: "1.0.0" },
  session: () => ({ held: [] as string[] }),
  handlers: {
    "session/close": () => ({}),
    "session/prompt": async ({ prompt }, { turn, session, signal }) => {
      const { held } = session.state;
      held.push(...prompt.map((block) => (block.type === "text" ? block.text : "")));
      await turn.message("I hold: ");
      if (held.length % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 3));
      if (held.at(-1)?.includes("stop me") === true) {
        await new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => resolve());
        });
      }
      await turn.message(held.join(" "));
      held.push(`answered ${held.length}`);
      return { stopReason: "end_turn" };
    },
  },
});
await serveStdio(agent);
