import { writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Writes an agent of version 2 in plain JSON, without the toolkit, and returns how to start it. `body` is the code that
 * follows a prompt. It has `text`, the prompt; `accept()`, which answers it; `update(update)`; and `end(idle)`, which tells
 * that the session is idle, with these members.
 */
export function foreignAgent2(directory: string, body: string): string[] {
  const file = join(directory, "foreign-agent-2.mjs");
  writeFileSync(
    file,
    `import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const answers = {
  initialize: { protocolVersion: 2, info: { name: "foreign", version: "0.1" }, capabilities: { session: {} } },
  "session/new": { sessionId: "s" },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method !== "session/prompt") {
    if (id !== undefined && method !== undefined) send({ id, result: answers[method] ?? {} });
    continue;
  }
  const update = (update) => send({ method: "session/update", params: { sessionId: "s", update } });
  const accept = () => {
    send({ id, result: { messageId: "m" } });
    update({ sessionUpdate: "state_update", state: "running" });
  };
  const end = (idle) => update({ sessionUpdate: "state_update", state: "idle", ...idle });
  const text = params.prompt[0].text;
  ${body}
}
`,
  );
  return ["--", process.execPath, file];
}
