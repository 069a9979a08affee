// An agent around any model behind an OpenAI-compatible endpoint. It asks before it runs a command.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { reportedCall, runTurn, toModelMessages } from "@acp/ai";
import { type AgentTurn, createAgent } from "@acp/core";
import { runCommand } from "@acp/core/agent";
import { receiveSteering, steeringMeta } from "@acp/core/steering";
import { serveStdio } from "@acp/node";
import { jsonSchema, type ModelMessage, tool } from "ai";

const { OPENAI_BASE_URL = "https://api.openai.com/v1", OPENAI_API_KEY = "", OPENAI_MODEL = "gpt-5" } = process.env;
// What the package `ai` warns of belongs in no editor's log.
globalThis.AI_SDK_LOG_WARNINGS = false;

const provider = createOpenAICompatible({
  name: "model",
  baseURL: OPENAI_BASE_URL,
  apiKey: OPENAI_API_KEY,
  includeUsage: true,
});

/** The tool that the model has: it runs a command in a terminal of the client, in the tool call that the client shows. */
function createTools(turn: AgentTurn) {
  const run = tool({
    description: "Runs a shell command",
    inputSchema: jsonSchema<{ command: string }>({
      type: "object",
      properties: { command: { type: "string" } },
      required: ["command"],
    }),
    execute: async ({ command }, { toolCallId }) => {
      const call = await reportedCall(turn, toolCallId);
      const { output, exitCode } = await runCommand(turn, { command: "sh", args: ["-c", command], call });
      return `${output}\nExit code: ${exitCode}`;
    },
  });
  return { run };
}

const agent = createAgent({
  info: { name: "llm-agent", version: "1.0.0" },
  _meta: steeringMeta,
  // What the model knows of a session. The bridge adds to it what is said and done.
  session: () => ({ messages: [] as ModelMessage[] }),
  handlers: {
    // What the user says meanwhile reaches the model with its next request.
    "_session/steering": receiveSteering,
    "session/prompt": async ({ prompt }, { turn, session }) => {
      const { messages } = session.state;
      messages.push(...toModelMessages(prompt));
      const { stopReason } = await runTurn(turn, {
        model: provider(OPENAI_MODEL),
        messages,
        instructions: `You are a coding agent. The project is in ${session.cwd}.`,
        contextSize: 200_000,
        tools: createTools(turn),
        toolApproval: { run: "user-approval" },
        show: { run: { kind: "execute", title: ({ command = "…" }) => command, output: () => undefined } },
      });
      return { stopReason };
    },
  },
});

await serveStdio(agent);
