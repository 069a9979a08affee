// An agent around any model behind an OpenAI-compatible endpoint that streams. It asks before it runs a command.
import { type AgentTurn, createAgent } from "@acp/core";
import { runCommand } from "@acp/core/agent";
import { serveStdio } from "@acp/node";

const { OPENAI_BASE_URL = "https://api.openai.com/v1", OPENAI_API_KEY = "", OPENAI_MODEL = "gpt-5" } = process.env;
const contextSize = 200_000;

type ToolCall = { id: string; type: "function"; function: { name: string; arguments: string } };
type Delta = { content?: string; tool_calls?: (Partial<ToolCall> & { index: number })[] };
type Choice = { delta: Delta; finish_reason?: string };
type Chunk = { choices?: Choice[]; usage?: { total_tokens: number }; error?: { message: string } };

const parameters = { type: "object", properties: { command: { type: "string" } }, required: ["command"] };
const tools = [{ type: "function", function: { name: "run", description: "Runs a shell command", parameters } }];

/** Yields what the model says, piece by piece. Aborting the signal ends the request. */
async function* chat(messages: object[], signal: AbortSignal): AsyncGenerator<Chunk> {
  const body = { model: OPENAI_MODEL, messages, tools, stream: true, stream_options: { include_usage: true } };
  const headers = { "content-type": "application/json", authorization: `Bearer ${OPENAI_API_KEY}` };
  const request = { method: "POST", headers, body: JSON.stringify(body), signal };
  const response = await fetch(`${OPENAI_BASE_URL}/chat/completions`, request);
  if (!response.ok || response.body === null) throw new Error(`The model answered ${response.status}`);
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) if (/^data: ?\{/.test(line)) yield JSON.parse(line.slice(5));
    if (lines.some((line) => /^data: ?\[DONE\]/.test(line))) return;
  }
  throw new Error("The model's answer broke off");
}

/** Asks the user, then runs the command in the client's terminal. Returns what the model is told. */
async function run(turn: AgentTurn, call: ToolCall): Promise<object> {
  const { command } = JSON.parse(call.function.arguments) as { command: string };
  const report = await turn.toolCall({ title: command, kind: "execute", status: "pending", rawInput: { command } });
  const outcome = await report.requestPermission();
  const isAllowed = outcome.outcome === "selected" && outcome.optionId === "allow";
  if (!isAllowed) await report.fail("The user said no.");
  const result = isAllowed && (await runCommand(turn, { command: "sh", args: ["-c", command], call: report }));
  const content = result ? `${result.output}\nExit code: ${result.exitCode}` : "The user did not allow this.";
  return { role: "tool", tool_call_id: call.id, content };
}

const agent = createAgent({
  info: { name: "llm-agent", version: "1.0.0" },
  session: () => ({ messages: [] as object[] }),
  handlers: {
    "session/prompt": async ({ prompt }, { turn, session, signal }) => {
      const { messages } = session.state;
      const content = prompt.map((block) => (block.type === "text" ? block.text : JSON.stringify(block))).join("\n");
      messages.push({ role: "user", content });
      for (;;) {
        const calls: ToolCall[] = [];
        let [text, finish] = ["", ""];
        for await (const { choices = [], usage, error } of chat(messages, signal)) {
          if (error) throw new Error(error.message);
          const [{ delta, finish_reason } = { delta: {} as Delta }] = choices;
          // Consecutive pieces join one message. To await it is flow control.
          if (delta.content) await turn.message(delta.content);
          text += delta.content ?? "";
          for (const { index, id = "", function: part } of delta.tool_calls ?? []) {
            calls[index] ??= { id, type: "function", function: { name: part?.name ?? "", arguments: "" } };
            calls[index].function.arguments += part?.arguments ?? "";
          }
          finish = finish_reason ?? finish;
          if (usage) await turn.offer({ sessionUpdate: "usage_update", used: usage.total_tokens, size: contextSize });
        }
        const results: object[] = [];
        for (const call of calls) results.push(await run(turn, call));
        messages.push({ role: "assistant", content: text, ...(calls.length > 0 && { tool_calls: calls }) }, ...results);
        if (calls.length === 0) return { stopReason: finish === "length" ? "max_tokens" : "end_turn" };
      }
    },
  },
});

await serveStdio(agent);
