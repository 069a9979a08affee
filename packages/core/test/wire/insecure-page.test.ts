// A page that came over plain HTTP is no secure context: there, `crypto` makes random bytes, and no UUIDs.
import { globSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { elicitUrl, userMessage } from "../../src/kit/v1/entry.ts";
import { createAgent } from "../../src/v1/agent.ts";
import { createAgent as createAgentV2 } from "../../src/v2/agent.ts";
import { randomId } from "../../src/base/random-id.ts";
import { createRawPeer } from "../support/raw-peer.ts";

beforeAll(() => {
  Object.defineProperty(crypto, "randomUUID", { value: undefined, configurable: true });
});
afterAll(() => {
  Reflect.deleteProperty(crypto, "randomUUID");
});

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const info = { name: "test", version: "1" };

test("an id is a UUID of version 4, another one each time", () => {
  const ids = Array.from({ length: 500 }, () => randomId());
  expect(ids.filter((id) => !uuid.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test("an agent of version 1 opens sessions, sends messages and asks in a page without a secure context", async () => {
  const agent = createAgent({
    info,
    handlers: {
      "session/prompt": async (_params, { turn }) => {
        await userMessage(turn.session, "Hello");
        await turn.toolCall({ title: "Read" });
        await elicitUrl(turn, { message: "Log in", url: "https://example.com" });
        return { stopReason: "end_turn" };
      },
    },
  });
  const peer = createRawPeer((transport) => agent.connect(transport));
  await peer.call("initialize", { protocolVersion: 1, clientCapabilities: { elicitation: { url: {} } } });
  const { result } = await peer.call("session/new", { cwd: "/p", mcpServers: [] });
  const { sessionId } = result as { readonly sessionId: string };
  expect(sessionId).toMatch(uuid);
  const prompt = [{ type: "text", text: "hi" }];
  peer.send({ jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId, prompt } });
  const { id, params } = await peer.next(({ method }) => method === "elicitation/create");
  expect(params).toMatchObject({ elicitationId: expect.stringMatching(uuid) as unknown });
  peer.send({ jsonrpc: "2.0", id, result: { action: "decline" } });
  expect(await peer.next((message) => message["id"] === 1)).toMatchObject({ result: { stopReason: "end_turn" } });
  await peer.close();
});

test("an agent of version 2 opens sessions there, too", async () => {
  const agent = createAgentV2({ info, handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) } });
  const peer = createRawPeer((transport) => agent.connect(transport));
  await peer.call("initialize", { protocolVersion: 2, capabilities: {}, info });
  const { result } = await peer.call("session/new", { cwd: "/p", mcpServers: [] });
  expect(result).toMatchObject({ sessionId: expect.stringMatching(uuid) as unknown });
  await peer.close();
});

test("no package asks for a UUID that only a secure context gives", () => {
  const packages = new URL("../../../", import.meta.url);
  const sources = globSync("*/src/**/*.ts", { cwd: packages }).filter((path) => !/\.test(?:-d)?\.ts$/.test(path));
  expect(sources.length).toBeGreaterThan(500);
  const naming = sources.filter((path) => /randomUUID/.test(readFileSync(new URL(path, packages), "utf8")));
  expect(naming).toEqual([]);
});
