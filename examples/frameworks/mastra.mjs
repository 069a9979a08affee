// An agent of Mastra for editors. To run it outside of this repository:
// npm install @acp/ai @acp/core @acp/node @mastra/core@1 zod
import { sendUiStream } from "@acp/ai/ui-stream";
import { createAgent } from "@acp/core";
import { serveStdio } from "@acp/node";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";

const { OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL = "gpt-5" } = process.env;

const weather = createTool({
  id: "weather",
  description: "Tells the weather in a city",
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `It rains in ${city}.`,
});
const assistant = new Agent({
  id: "assistant",
  name: "assistant",
  instructions: "You help.",
  model: { providerId: "openai", modelId: OPENAI_MODEL, url: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY },
  tools: { weather },
});

const agent = createAgent({
  info: { name: "mastra-example", version: "1.0.0" },
  session: () => ({ messages: [] }), // what the model knows of a session
  handlers: {
    "session/prompt": async ({ prompt }, { turn, session, signal }) => {
      const { messages } = session.state;
      const content = prompt.map((block) => (block.type === "text" ? block.text : "")).join("\n");
      messages.push({ role: "user", content });
      const result = await assistant.stream(messages, { abortSignal: signal });
      const stopReason = await sendUiStream(turn, toUiStream(result.fullStream));
      if (stopReason !== "cancelled") messages.push(...(await result.response).messages);
      return { stopReason };
    },
  },
});
await serveStdio(agent);

/** The parts of Mastra as the chunks that `sendUiStream` shows. */
async function* toUiStream(parts) {
  for await (const { type, payload } of parts) {
    const { toolCallId, toolName } = payload;
    if (type === "text-start" || type === "reasoning-start") yield { type };
    if (type === "text-delta" || type === "reasoning-delta") yield { type, delta: payload.text };
    if (type === "tool-call") yield { type: "tool-input-available", toolCallId, toolName, input: payload.args };
    if (type === "tool-result") yield { type: "tool-output-available", toolCallId, output: payload.result };
    if (type === "tool-error") yield { type: "tool-output-error", toolCallId, errorText: String(payload.error) };
    if (type === "error") yield { type, errorText: String(payload.error) };
  }
}
