import { type AgentDefinition, createAgent } from "@acp/core";

/** An agent that needs no runtime. What its turns do is what they are asked to. */
export function createTestAgent(): AgentDefinition {
  return createAgent({
    info: { name: "test-agent", version: "1" },
    handlers: {
      "session/prompt": async ({ prompt }, { turn, signal }) => {
        const [block, rest] = prompt;
        const [order, value] = block?.type === "text" ? block.text.split(" ") : [];
        const count = Number(value);
        if (order === "permission") {
          const call = await turn.toolCall({ title: "Edit", kind: "edit" });
          await turn.message((await call.requestPermission()).outcome);
        }
        if (order === "wait") await new Promise((resolve) => signal.addEventListener("abort", resolve));
        if (order === "length" && rest?.type === "text") await turn.message(String(rest.text.length));
        if (order === "big") await turn.message("x".repeat(count));
        if (order === "flood") for (let n = 0; n < count; n += 1) await turn.message(`${n} ${"x".repeat(1_000)}`);
        if (order === "burst") await Promise.all(Array.from({ length: count }, (_, n) => turn.message(`${n} `)));
        return { stopReason: signal.aborted ? "cancelled" : "end_turn" };
      },
    },
  });
}
