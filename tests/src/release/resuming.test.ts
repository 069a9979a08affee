// As in `runtimes/http/resuming.test.ts`, with 200 faults.
import { createWebSocketTransport } from "@acp/core";
import { createHttpTransport } from "@acp/http";
import { expect, test } from "vitest";
import { WebSocket } from "ws";

import { faultyRun } from "../support/http/faulty-run.ts";
import { serveBehindProxy } from "../support/http/serve-behind-proxy.ts";

const faults = 200;

test.each([11, 12])("over HTTP, with 200 faults by the seed %i", async (seed) => {
  const { log, proxy, close } = await serveBehindProxy(seed, faults);
  expect(await faultyRun(createHttpTransport(proxy.url), proxy, log)).toEqual([]);
  expect(proxy.faults).toHaveLength(faults);
  await close();
});

test.each([11, 12])("over WebSockets, with 200 faults by the seed %i", async (seed) => {
  const { log, proxy, close } = await serveBehindProxy(seed, faults);
  const transport = createWebSocketTransport(proxy.socketUrl, { open: (url) => new WebSocket(url) });
  expect(await faultyRun(transport, proxy, log)).toEqual([]);
  expect(proxy.faults).toHaveLength(faults);
  await close();
});
