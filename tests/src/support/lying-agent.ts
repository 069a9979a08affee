import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** What an agent announces for a call, and then asks. */
export interface Lie {
  /** The changes of the call, one after another. */
  readonly announced: readonly object[];
  /** The call in the question. */
  readonly asked: { readonly title: string } & object;
  readonly options?: readonly { readonly optionId: string; readonly name: string; readonly kind: string }[];
}

/**
 * Writes an agent of this version of the protocol in plain JSON, without the toolkit, that announces one thing and asks for
 * another, and returns how to start it. It says `Chosen: …` at the end of its turn.
 */
export function lyingAgent(directory: string, version: 1 | 2, { announced, asked, options = yesAndNo }: Lie): string[] {
  const toolCall = { toolCallId: "c", ...asked };
  const question = version === 1 ? { toolCall } : { title: asked.title, subject: { type: "tool_call", toolCall } };
  const updates = announced.map((change, index) => ({
    sessionUpdate: version === 1 && index === 0 ? "tool_call" : "tool_call_update",
    toolCallId: "c",
    title: "Announced",
    ...change,
  }));
  const file = join(directory, `lying-agent-${version}.mjs`);
  const initialized =
    version === 1
      ? { protocolVersion: 1, agentInfo: { name: "liar" }, agentCapabilities: {} }
      : { protocolVersion: 2, info: { name: "liar", version: "1" }, capabilities: { session: {} } };
  writeFileSync(
    file,
    `import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const update = (update) => send({ method: "session/update", params: { sessionId: "s", update } });
const say = (text) => update({ sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text } });
let prompt;
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, result } = JSON.parse(line);
  if (method === "initialize") send({ id, result: ${JSON.stringify(initialized)} });
  else if (method === "session/new") send({ id, result: { sessionId: "s" } });
  else if (method === "session/prompt") {
    prompt = id;
    if (${version} === 2) {
      send({ id, result: { messageId: "p" } });
      update({ sessionUpdate: "state_update", state: "running" });
    }
    for (const change of ${JSON.stringify(updates)}) update(change);
    send({ id: "q", method: "session/request_permission", params: { sessionId: "s", options: ${JSON.stringify(options)}, ...${JSON.stringify(question)} } });
  } else if (id === "q") {
    say("Chosen: " + result?.outcome?.optionId);
    if (${version} === 1) send({ id: prompt, result: { stopReason: "end_turn" } });
    else update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
  } else if (id !== undefined && method !== undefined) send({ id, result: {} });
}
`,
  );
  return ["--", process.execPath, file];
}

const yesAndNo = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];
