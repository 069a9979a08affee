import { createAgent } from "@acp/core";
import { createHttpServer } from "@acp/http";
import { expect, test } from "vitest";

import { bunHttpHandlers } from "./bun-http-handlers.ts";

const agent = createAgent({
  info: { name: "agent", version: "1" },
  handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) },
});

test("bunHttpHandlers() has Bun take messages up to twice the limit: a little over it, the server answers", () => {
  const lengthFor = (maxMessageBytes: number): number =>
    bunHttpHandlers(createHttpServer({ agent, maxMessageBytes })).websocket.maxPayloadLength;
  expect([lengthFor(1000), lengthFor(Infinity)]).toEqual([2000, 0x7fffffff]);
});

test("bunHttpHandlers() has Bun ping an idle WebSocket before proxies end it, which mostly do so after a minute", () => {
  const { idleTimeout } = bunHttpHandlers(createHttpServer({ agent })).websocket;
  // Bun sends its ping 16 seconds before it would end the socket.
  expect(idleTimeout - 16).toBeLessThan(60);
  expect(idleTimeout - 16).toBeGreaterThan(16);
});
