// An agent around a model, and a client that prompts it: prints what the client was told. The argument is the address of the model.
import process from "node:process";

import { runTurn, toModelMessages } from "@acp/ai";
import { createAgent, createClient, createMemoryTransportPair } from "@acp/core";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { jsonSchema, type ModelMessage, tool } from "ai";

const [baseURL = ""] = process.argv.slice(2);
const model = createOpenAICompatible({ name: "stand-in", baseURL })("stand-in");
const bash = tool({
  inputSchema: jsonSchema<{ command: string }>({ type: "object", properties: { command: { type: "string" } } }),
  execute: ({ command }) => `The output of ${command}`,
});
const messages: ModelMessage[] = [];
const agent = createAgent({
  info: { name: "model-agent", version: "1.0.0" },
  handlers: {
    "session/prompt": async ({ prompt }, { turn }) => {
      messages.push(...toModelMessages(prompt));
      const { stopReason } = await runTurn(turn, {
        model,
        messages,
        tools: { bash },
        toolApproval: { bash: "user-approval" },
      });
      return { stopReason };
    },
  },
});
const client = createClient({
  info: { name: "client", version: "1.0.0" },
  handlers: {
    "session/request_permission": ({ options: [first] }) =>
      first === undefined
        ? { outcome: { outcome: "cancelled" } }
        : { outcome: { outcome: "selected", optionId: first.optionId } },
  },
});
const [ours, theirs] = createMemoryTransportPair();
agent.connect(theirs);
const connected = await client.connect(ours);
const session = await connected.newSession({ cwd: "/" });
const turn = session.prompt("Please list it");
let text = "";
let status: unknown;
for await (const update of turn.updates) {
  if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") text += update.content.text;
  if (update.sessionUpdate === "tool_call_update") status = update.status ?? status;
}
const { stopReason } = await turn.response;
console.log(JSON.stringify({ text, status, stopReason }));
await connected.close();
