import { writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Writes an agent in plain JSON, without the toolkit, that can ask and can go on after a turn, and returns how
 * to start it. `body` is the code that answers a prompt. It has:
 *
 * - `sessionId` (`s1`, `s2`, …) and `text`, the prompt;
 * - `say(text)`, `update(update)` and `end(stopReason)`;
 * - `request(method, params)`, for the session: a promise of the result, `undefined` if it failed, with the request's `id`;
 * - `permission(title, options)`, the same for a permission: a promise of the id that was chosen;
 * - `until(name)`: a promise that settles when a file of that name is in the directory;
 * - `send(message)`, for what else there is to send.
 *
 * Methods in `unanswered` get no answer.
 */
export function scriptedAgent(directory: string, body: string, unanswered: readonly string[] = []): string[] {
  const file = join(directory, "scripted-agent.mjs");
  writeFileSync(
    file,
    `import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const until = async (name) => {
  while (!existsSync(name)) await new Promise((resolve) => setTimeout(resolve, 10));
};
const calls = new Map();
let sessions = 0;
const answers = {
  initialize: () => ({ protocolVersion: 1, agentInfo: { name: "scripted" }, agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, delete: {} } } }),
  "session/new": () => ({ sessionId: "s" + (sessions += 1) }),
  "session/list": () => ({ sessions: [] }),
};
async function prompted({ sessionId, prompt }, id) {
  const text = prompt[0].text;
  const update = (update) => send({ method: "session/update", params: { sessionId, update } });
  const say = (text) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  const end = (stopReason) => send({ id, result: { stopReason } });
  const request = (method, params) => {
    const id = "c" + calls.size;
    const answered = new Promise((resolve) => calls.set(id, resolve));
    send({ id, method, params: { sessionId, ...params } });
    return Object.assign(answered, { id });
  };
  const permission = (title, options) => {
    const toolCall = { toolCallId: "call of " + title, title, kind: "edit" };
    update({ sessionUpdate: "tool_call", ...toolCall });
    const asked = request("session/request_permission", { toolCall, options });
    return Object.assign(asked.then((result) => result?.outcome.optionId), { id: asked.id });
  };
  ${body}
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) calls.get(id)?.(result);
  else if (method === "session/prompt") void prompted(params, id);
  else if (id !== undefined && !${JSON.stringify(unanswered)}.includes(method)) send({ id, result: answers[method]?.(params) ?? {} });
}
`,
  );
  return ["--", process.execPath, file];
}
