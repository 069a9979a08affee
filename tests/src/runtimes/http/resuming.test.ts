// A client and a server of the toolkit on a bad network: nothing is lost, nothing comes twice, no session fails.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { createWebSocketTransport } from "@acp/core";
import { createHttpTransport } from "@acp/http";
import { expect, test } from "vitest";
import { WebSocket } from "ws";

import { hangs } from "../../support/hangs.ts";
import { createFaultyProxy } from "../../support/http/faulty-proxy.ts";
import { faultyRun } from "../../support/http/faulty-run.ts";
import { serveBehindProxy } from "../../support/http/serve-behind-proxy.ts";
import { serveOn } from "../../support/http/serve-on.ts";
import { expected } from "../../support/http/story.ts";
import { commandOn } from "../../support/runtimes.ts";

const faults = 20;

test.each([1, 2, 3])("over HTTP, with 20 faults by the seed %i", async (seed) => {
  const { log, proxy, close } = await serveBehindProxy(seed, faults);
  expect(await faultyRun(createHttpTransport(proxy.url), proxy, log)).toEqual([]);
  expect(proxy.faults).toHaveLength(faults);
  await close();
});

test.each([1, 2, 3])("over WebSockets, with 20 faults by the seed %i", async (seed) => {
  const { log, proxy, close } = await serveBehindProxy(seed, faults);
  const transport = createWebSocketTransport(proxy.socketUrl, { open: (url) => new WebSocket(url) });
  expect(await faultyRun(transport, proxy, log)).toEqual([]);
  expect(proxy.faults).toHaveLength(faults);
  await close();
});

test.each([
  ["deno", "serve-deno"],
  ["bun", "serve-bun"],
] as const)("on %s, over HTTP and WebSockets, server and client", async (runtime, name) => {
  const server = await serveOn(runtime, name);
  const proxy = await createFaultyProxy({ target: server.port, seed: 7, faults: 200, every: 15 });
  const program = fileURLToPath(new URL("../../../dist/runtimes/http/programs/live-story.js", import.meta.url));
  const { command, args } = commandOn(runtime, program, [new URL(proxy.url).port]);
  const { stdout, stderr } = await promisify(execFile)(command, args, { timeout: hangs });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({ http: expected, socket: expected });
  expect(server.errors).toBe("");
  // By streams, and by sockets.
  expect(proxy.faults.join()).toMatch(/GET.*to the client/);
  await proxy.close();
  await server.end();
});
