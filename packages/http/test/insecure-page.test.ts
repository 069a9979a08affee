import { createAgent } from "@acp/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHttpServer } from "../src/server/http-server.ts";
import { initialize, posted } from "./support/in-process.ts";

beforeAll(() => {
  Object.defineProperty(crypto, "randomUUID", { value: undefined, configurable: true });
});
afterAll(() => {
  Reflect.deleteProperty(crypto, "randomUUID");
});

test("a server names its connections where crypto makes no UUIDs: in a page without a secure context", async () => {
  const agent = createAgent({
    info: { name: "agent", version: "1" },
    handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) },
  });
  await using server = createHttpServer({ agent });
  const names = await Promise.all(
    [1, 2].map(async () => (await server.handle(posted(initialize))).headers.get("Acp-Connection-Id")),
  );
  expect(names[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(names[0]).not.toBe(names[1]);
});
