// A graph of LangGraph.js as an agent for editors. To run it outside of this repository:
// npm install @acp/ai @acp/core @acp/node @langchain/core@1 @langchain/langgraph@1 @langchain/openai@1 zod
import { sendUiStream } from "@acp/ai/ui-stream";
import { createAgent } from "@acp/core";
import { serveStdio } from "@acp/node";
import { tool } from "@langchain/core/tools";
import { MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { z } from "zod";

const { OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL = "gpt-5" } = process.env;

const weather = tool(({ city }) => `It rains in ${city}.`, {
  name: "weather",
  description: "Tells the weather in a city",
  schema: z.object({ city: z.string() }),
});
const configuration = { baseURL: OPENAI_BASE_URL };
const model = new ChatOpenAI({ model: OPENAI_MODEL, apiKey: OPENAI_API_KEY, configuration }).bindTools([weather]);
const graph = new StateGraph(MessagesAnnotation)
  .addNode("model", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
  .addNode("tools", new ToolNode([weather]))
  .addEdge(START, "model")
  .addConditionalEdges("model", toolsCondition)
  .addEdge("tools", "model")
  .compile({ checkpointer: new MemorySaver() }); // what the model knows of each session

const agent = createAgent({
  info: { name: "langgraph-example", version: "1.0.0" },
  handlers: {
    "session/prompt": async ({ prompt }, { turn, session, signal }) => {
      const content = prompt.map((block) => (block.type === "text" ? block.text : "")).join("\n");
      const options = { streamMode: ["messages", "updates"], configurable: { thread_id: session.id }, signal };
      const events = await graph.stream({ messages: [{ role: "user", content }] }, options);
      return { stopReason: await sendUiStream(turn, toUiStream(events)) };
    },
  },
});
await serveStdio(agent);

/** The events of a graph as the chunks that `sendUiStream` shows. */
async function* toUiStream(events) {
  for await (const [mode, event] of events) {
    // Text comes piece by piece, everything else once a node has ended.
    if (mode === "messages" && event[0].type === "ai") yield { type: "text-delta", delta: event[0].text };
    if (mode !== "updates") continue;
    for (const message of Object.values(event).flatMap((update) => update?.messages ?? [])) {
      for (const { id: toolCallId, name: toolName, args: input } of message.tool_calls ?? []) {
        yield { type: "tool-input-available", toolCallId, toolName, input };
      }
      if (message.type !== "tool") continue;
      const { tool_call_id: toolCallId, text, status } = message;
      if (status === "error") yield { type: "tool-output-error", toolCallId, errorText: text };
      else yield { type: "tool-output-available", toolCallId, output: text };
    }
  }
}
