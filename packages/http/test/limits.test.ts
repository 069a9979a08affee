import { type AgentDefinition, createAgent, type Diagnostic } from "@acp/core";
import { afterEach, expect, test, vi } from "vitest";

import { asked, initialize, messagesOf, open, posted } from "./support/in-process.ts";
import { createHttpServer } from "../src/server/http-server.ts";

const request = (id: number, method: string, params: object): object => ({ jsonrpc: "2.0", id, method, params });
const newSession = request(1, "session/new", { cwd: "/", mcpServers: [] });
const prompt = request(2, "session/prompt", { sessionId: "s1", prompt: [{ type: "text", text: "go" }] });

/** The limits of these tests, in milliseconds: they pass only when a test says so, however busy the machine is. */
const soon = 60_000;

function holdClock(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
}
afterEach(() => void vi.useRealTimers());

/** How many connections there are when that time has passed. */
function connectionsLater(server: ReturnType<typeof createHttpServer>): number {
  vi.advanceTimersByTime(soon);
  return server.connections;
}

/** An agent that says as much as it can; `said` is told how often it has been heard. */
function flood(said: (count: number) => void, awaits: boolean): AgentDefinition {
  return createAgent({
    info: { name: "agent", version: "1" },
    sessionId: () => "s1",
    handlers: {
      "session/prompt": async (_params, { turn, signal }) => {
        for (let n = 0; n < 2000 && !signal.aborted; n++) {
          const sent = turn.message("x".repeat(1000));
          sent.catch(() => {});
          if (awaits) await sent.catch(() => {});
          said(n);
        }
        return { stopReason: signal.aborted ? "cancelled" : "end_turn" };
      },
    },
  });
}

async function promptIn(server: ReturnType<typeof createHttpServer>): Promise<Record<string, string>> {
  const connection = await open(server);
  await server.handle(posted(newSession, connection));
  const session = { ...connection, "Acp-Session-Id": "s1" };
  await server.handle(posted(prompt, session));
  return session;
}

test("an agent that awaits its sends waits for its client to read, and continues when it does", async () => {
  let said = 0;
  await using server = createHttpServer({ agent: flood((n) => (said = n), true) });
  const session = await promptIn(server);
  await expect.poll(() => said).toBeGreaterThan(100);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(said).toBeLessThan(300);
  let received = 0;
  for await (const message of messagesOf(await server.handle(asked(session)))) {
    if (message["id"] === 2) break;
    received++;
  }
  expect(received).toBe(2000);
});

test("a client that does not read from a talkative agent loses its connection at the limit", async () => {
  const diagnostics: Diagnostic[] = [];
  await using server = createHttpServer({
    agent: flood(() => {}, false),
    maxBufferedUnits: 1_000_000,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  await promptIn(server);
  await expect.poll(() => server.connections).toBe(0);
  expect(diagnostics.find(({ type }) => type === "closed")?.message).toContain("maxBufferedUnits");
});

test("a client that takes nothing for too long loses its connection, and one that starts to read does not", async () => {
  holdClock();
  const diagnostics: Diagnostic[] = [];
  const agent = flood(() => {}, true);
  await using server = createHttpServer({
    agent,
    stallTimeout: soon,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  const session = await promptIn(server);
  const stream = await server.handle(asked(session));
  await expect.poll(() => connectionsLater(server)).toBe(0);
  expect(diagnostics.find(({ type }) => type === "closed")?.message).toContain("stallTimeout");
  await expect(stream.text()).rejects.toThrow("stallTimeout");
});

test("a connection without streams and requests ends; one with a stream stays", async () => {
  holdClock();
  await using server = createHttpServer({ agent: flood(() => {}, true), idleTimeout: soon });
  const idle = await open(server);
  const busy = await open(server);
  const stream = await server.handle(asked(busy));
  expect(server.connections).toBe(2);
  await expect.poll(() => connectionsLater(server)).toBe(1);
  expect((await server.handle(asked(idle))).status).toBe(404);
  vi.advanceTimersByTime(2 * soon);
  expect(server.connections).toBe(1);
  await stream.body?.cancel();
  await expect.poll(() => connectionsLater(server)).toBe(0);
});

test("an agent that never answers initialize does not hold its connection for ever", async () => {
  holdClock();
  const agent = createAgent({
    info: { name: "agent", version: "1" },
    connected: (_client, signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
    handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) },
  });
  await using server = createHttpServer({ agent, idleTimeout: soon });
  const answer = server.handle(posted(initialize));
  await expect.poll(() => server.connections).toBe(1);
  await expect.poll(() => connectionsLater(server)).toBe(0);
  expect((await answer).status).toBe(500);
});

test("posts to a busy agent wait, and are refused when too many do", async () => {
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const agent = createAgent({
    info: { name: "agent", version: "1" },
    handlers: { "session/prompt": () => ({ stopReason: "end_turn" }), "_acme/note": () => held } as never,
  });
  await using server = createHttpServer({ agent, maxBufferedUnits: 3_000_000 });
  const connection = await open(server);
  const note = { jsonrpc: "2.0", method: "_acme/note", params: { text: "x".repeat(600_000) } };
  const answers = Array.from({ length: 12 }, async () => (await server.handle(posted(note, connection))).status);
  const refused = await Promise.race(answers.slice(-1));
  expect(refused).toBe(503);
  goOn();
  const statuses = await Promise.all(answers);
  expect(new Set(statuses)).toEqual(new Set([202, 503]));
  expect(statuses[0]).toBe(202);
});
