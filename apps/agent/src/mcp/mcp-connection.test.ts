import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, expect, onTestFinished, test, vi } from "vitest";

import { connectMcpServer, type McpConnection } from "./mcp-connection.ts";

/** An MCP server. Its tool `wait` answers when the client calls its tool `go`. */
const program = `import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const done = (id) => send({ id, result: { content: [{ type: "text", text: "done" }] } });
const waiting = [];
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    const { protocolVersion } = params;
    send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } } });
  } else if (method === "tools/list") {
    send({ id, result: { tools: ["wait", "go"].map((name) => ({ name, inputSchema: { type: "object" } })) } });
  } else if (method === "tools/call" && params.name === "wait") waiting.push(id);
  else if (method === "tools/call") [id, ...waiting.splice(0)].forEach(done);
  else if (id !== undefined) send({ id, error: { code: -32601, message: "no" } });
}
`;

async function connectToProgram(): Promise<McpConnection> {
  const directory = mkdtempSync(join(tmpdir(), "acp-mcp-"));
  const file = join(directory, "server.mjs");
  writeFileSync(file, program);
  const server = { name: "s", command: process.execPath, args: [file], env: [] };
  const connection = await connectMcpServer(server, { cwd: directory, directories: [directory] });
  onTestFinished(async () => {
    await connection.close();
    rmSync(directory, { recursive: true });
  });
  return connection;
}

afterEach(() => {
  vi.useRealTimers();
});

test("a call has no timeout", async () => {
  const connection = await connectToProgram();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { signal } = new AbortController();
  const call = connection.call("wait", {}, { signal });
  // One day.
  await vi.advanceTimersByTimeAsync(24 * 60 * 60 * 1_000);
  await connection.call("go", {}, { signal });
  expect((await call).content).toEqual([{ type: "text", text: "done" }]);
  vi.useRealTimers();
});

test("aborting the signal cancels a call", async () => {
  const connection = await connectToProgram();
  const controller = new AbortController();
  const call = connection.call("wait", {}, { signal: controller.signal });
  controller.abort();
  await expect(call).rejects.toThrow();
});
