import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { afterEach, expect, onTestFinished, test, vi } from "vitest";

import { connectMcpServer, type McpConnection } from "./mcp-connection.ts";
import type { ReceivedMcpServer } from "./received-mcp-server.ts";
import { ownServer } from "./testing/own-server.ts";

async function connect(): Promise<McpConnection> {
  const connection = await connectMcpServer(ownServer(), { cwd: process.cwd(), directories: [] });
  onTestFinished(() => connection.close());
  return connection;
}

afterEach(() => {
  vi.useRealTimers();
});

test("a call has no timeout", async () => {
  const connection = await connect();
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
  const connection = await connect();
  const controller = new AbortController();
  const call = connection.call("wait", {}, { signal: controller.signal });
  controller.abort();
  await expect(call).rejects.toThrow();
});

test("reports the progress of a call", async () => {
  const connection = await connect();
  const { signal } = new AbortController();
  let call: Promise<unknown> | undefined;
  const progress = await new Promise<string>((resolve) => {
    call = connection.call("steps", {}, { signal, onProgress: resolve });
  });
  expect(progress).toBe("Halfway (1 of 2)");
  await connection.call("go", {}, { signal });
  await call;
});

test("tools that come later are known", async () => {
  const connection = await connect();
  await connection.call("grow", {}, { signal: new AbortController().signal });
  await vi.waitFor(() => expect(connection.tools.map(({ name }) => name)).toContain("grown"));
});

test("each of two calls that fail at once finds out that the server knows nothing of the connection", async () => {
  const pings: (() => void)[] = [];
  const listening = createServer((request, response) => {
    const answer = (status: number, message?: object): void =>
      void response
        .writeHead(status, { "Content-Type": "application/json" })
        .end(message && JSON.stringify({ jsonrpc: "2.0", ...message }));
    void text(request).then((body) => {
      const { id, method, params } = body === "" ? {} : JSON.parse(body);
      if (method === "initialize") {
        const { protocolVersion } = params;
        const serverInfo = { name: "s", version: "1" };
        answer(200, { id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
      } else if (method === "tools/list") answer(200, { id, result: { tools: [] } });
      else if (method === "tools/call") answer(404);
      else if (method === "ping") pings.push(() => answer(404));
      else answer(request.method === "GET" ? 405 : 202);
    });
  });
  listening.listen(0, "127.0.0.1");
  await once(listening, "listening");
  onTestFinished(() => void listening.close());
  const { port } = listening.address() as AddressInfo;
  const server: ReceivedMcpServer = { type: "http", name: "forgetful", url: `http://127.0.0.1:${port}`, headers: [] };
  const connection = await connectMcpServer(server, { cwd: process.cwd(), directories: [] });
  onTestFinished(() => connection.close());
  const call = (): Promise<unknown> => connection.call("any", {}, { signal: new AbortController().signal });
  const failed = Promise.allSettled([call(), call()]);
  await expect.poll(() => pings.length).toBe(1);
  pings[0]!();
  const message = "The MCP server forgetful was lost during the call. It may have carried the call out.";
  expect((await failed).map((each) => each.status === "rejected" && String(each.reason))).toEqual([
    `Error: ${message}`,
    `Error: ${message}`,
  ]);
});
