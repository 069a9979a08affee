import { afterEach, expect, onTestFinished, test, vi } from "vitest";

import { connectMcpServer, type McpConnection } from "./mcp-connection.ts";
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
