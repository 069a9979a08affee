// An agent of the OpenAI Agents SDK for editors. To run it outside of this repository:
// npm install @acp/ai @acp/core @acp/node @openai/agents zod
import { sendUiStream } from "@acp/ai/ui-stream";
import { createAgent } from "@acp/core";
import { serveStdio } from "@acp/node";
import { Agent, MemorySession, OpenAIProvider, Runner, tool } from "@openai/agents";
import { z } from "zod";

const { OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL = "gpt-5" } = process.env;

const weather = tool({
  name: "weather",
  description: "Tells the weather in a city",
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `It rains in ${city}.`,
});
const assistant = new Agent({ name: "assistant", model: OPENAI_MODEL, tools: [weather] });
const modelProvider = new OpenAIProvider({ baseURL: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY, useResponses: false });
// Traces would go to OpenAI, with all that is said.
const runner = new Runner({ modelProvider, tracingDisabled: true });

const agent = createAgent({
  info: { name: "openai-agents-example", version: "1.0.0" },
  session: () => new MemorySession(), // what the model knows of a session
  handlers: {
    "session/prompt": async ({ prompt }, { turn, session, signal }) => {
      const question = prompt.map((block) => (block.type === "text" ? block.text : "")).join("\n");
      const events = await runner.run(assistant, question, { stream: true, session: session.state, signal });
      return { stopReason: await sendUiStream(turn, toUiStream(events)) };
    },
  },
});
await serveStdio(agent);

/** The events of the SDK as the chunks that `sendUiStream` shows. */
async function* toUiStream(events) {
  for await (const { type, data, name, item } of events) {
    if (type === "raw_model_stream_event") {
      if (data.type === "response_started") yield { type: "text-start" };
      if (data.type === "output_text_delta") yield { type: "text-delta", delta: data.delta };
    }
    if (name === "tool_called") {
      const { callId: toolCallId, name: toolName, arguments: args } = item.rawItem;
      yield { type: "tool-input-available", toolCallId, toolName, input: parse(args) };
    }
    if (name === "tool_output") {
      yield { type: "tool-output-available", toolCallId: item.rawItem.callId, output: item.output };
    }
  }
}

/** What a model writes need not be JSON; the SDK tells it so. */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
