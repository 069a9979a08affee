// An agent in strict mode, over its own stdin and stdout. What a prompt says is what it does wrong.
import { createAgent, UsageError } from "@acp/core";
import type { SessionUpdate } from "@acp/schema/v1";
import { strictValidator } from "@acp/validators/v1/strict";
import { serveStdio } from "#runtime";

/** Wrong updates by name, as an agent without types would make them. */
const wrong: Readonly<Record<string, object>> = {
  member: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hi", color: "red" } },
  base64: { sessionUpdate: "agent_message_chunk", content: { type: "image", mimeType: "image/png", data: "?" } },
  usage: { sessionUpdate: "usage_update", used: -1, size: 1 },
};

const agent = createAgent({
  info: { name: "strict-agent", version: "1.0.0" },
  validate: strictValidator,
  capabilities: { promptCapabilities: { image: true } },
  handlers: {
    "session/prompt": async ({ prompt }, { turn }) => {
      const [block] = prompt;
      const what = block?.type === "text" ? block.text : "";
      const made = wrong[what];
      if (made === undefined) await turn.message("Hello");
      else {
        const error: unknown = await turn.update(made as SessionUpdate).catch((reason: unknown) => reason);
        await turn.message(error instanceof UsageError ? error.message : "it was sent");
      }
      return { stopReason: "end_turn" };
    },
  },
});

await serveStdio(agent);
