import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { McpServer } from "@acp/schema/v1";
import { onTestFinished } from "vitest";

/**
 * An MCP server, for what official ones do not do. Its tools: `wait` answers when `go` is called; `die` ends the process in
 * the middle of the call; `start` starts a process that would stay, and returns its pid; `grow` gives the server one more tool;
 * `steps` tells its progress; `pid` returns its own pid, and `env` its environment; `huge` returns 20 MB of text, and `chatter`
 * tells its progress 20,000 times. With `FAILS` in its environment it ends before it answers anything, and with `HANGS` it
 * answers nothing. `TOOLS` is a list of further tools, in JSON.
 */
const program = `import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
if (process.env.FAILS !== undefined) {
  console.error("No database");
  process.exit(3);
}
console.log("Welcome");
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const done = (id, text = "done") => send({ id, result: { content: [{ type: "text", text }] } });
const waiting = [];
const more = JSON.parse(process.env.TOOLS ?? "[]");
const names = ["huge", "chatter", "wait", "go", "die", "start", "grow", "steps", "pid", "env"];
const run = {
  wait: (id) => waiting.push(id),
  go: (id) => [id, ...waiting.splice(0)].forEach((one) => done(one)),
  die: () => process.exit(7),
  start: (id) => done(id, String(spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]).pid)),
  pid: (id) => done(id, String(process.pid)),
  env: (id) => done(id, JSON.stringify(process.env)),
  grow: (id) => {
    names.push("grown");
    send({ method: "notifications/tools/list_changed" });
    done(id);
  },
  huge: (id) => done(id, "x".repeat(20_000_000)),
  chatter: (id, { _meta }) => {
    const { progressToken } = _meta;
    for (let progress = 1; progress <= 20_000; progress++) send({ method: "notifications/progress", params: { progressToken, progress } });
    done(id);
  },
  steps: (id, { _meta }) => {
    const { progressToken } = _meta;
    send({ method: "notifications/progress", params: { progressToken, progress: 1, total: 2, message: "Halfway" } });
    waiting.push(id);
  },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (process.env.HANGS !== undefined) continue;
  if (method === "initialize") {
    const { protocolVersion } = params;
    const capabilities = { tools: { listChanged: true } };
    send({ id, result: { protocolVersion, capabilities, serverInfo: { name: "s", version: "1" } } });
  } else if (method === "tools/list") {
    send({ id, result: { tools: [...names.map((name) => ({ name, inputSchema: { type: "object" } })), ...more] } });
  } else if (method === "tools/call") run[params.name](id, params);
  else if (id !== undefined) send({ id, result: {} });
}
`;

/** A server over stdio, as clients of version 1 name it. */
export type StdioServer = Exclude<McpServer, { readonly type: string }>;

/** Writes the program of the server, until the test ends. */
export function ownServer(env: Readonly<Record<string, string>> = {}): StdioServer {
  const directory = mkdtempSync(join(tmpdir(), "acp-mcp-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "server.mjs");
  writeFileSync(file, program);
  return {
    name: "own",
    command: process.execPath,
    args: [file],
    env: Object.entries(env).map(([name, value]) => ({ name, value })),
  };
}
