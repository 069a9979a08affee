import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { Side } from "../inspected.ts";
import { createInspector } from "../inspector.ts";
import { Log } from "./log.ts";
import { createRedaction } from "./redaction.ts";

const start = new Date(2026, 0, 2, 3, 4, 5, 6).getTime();

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A log of some messages, each 10 ms after the one before it. */
class Logged {
  readonly lines: string[] = [];
  readonly inspector = createInspector();
  readonly log: Log;
  #now = start;

  constructor(isFull = false) {
    this.log = new Log({ write: (line) => this.lines.push(line), isFull, redaction: createRedaction(false) });
    this.take("client", { id: 0, method: "initialize", params: { protocolVersion: 1 } });
    this.take("agent", { id: 0, result: { protocolVersion: 1 } });
    for (const sessionId of ["s", "b"]) {
      const made = { jsonrpc: "2.0", id: sessionId, method: "session/new", params: { cwd: "/", mcpServers: [] } };
      this.inspector.take("client", made, new Date(start));
      this.inspector.take("agent", { jsonrpc: "2.0", id: sessionId, result: { sessionId } }, new Date(start));
    }
    this.lines.length = 0;
  }

  take(from: Side, message: object | string): this {
    const whole = typeof message === "string" ? message : { jsonrpc: "2.0", ...message };
    this.log.message(this.inspector.take(from, whole, new Date((this.#now += 10))), whole);
    return this;
  }

  chunk(text: string, sessionUpdate = "agent_message_chunk", sessionId = "s"): this {
    const update = { sessionUpdate, content: { type: "text", text } };
    return this.take("agent", { method: "session/update", params: { sessionId, update } });
  }
}

test("a line has the time, the sender, and the content", () => {
  const { lines } = new Logged()
    .take("client", { id: "a", method: "_acme/ask", params: { sessionId: "8dd4cf01-b1a5-4c96", deep: { x: 1 } } })
    .take("agent", { id: "a", error: { code: -32601, message: "Method not found" } })
    .take("client", { method: "$/cancel_request", params: { requestId: "a" } })
    .take("agent", {
      method: "session/update",
      params: { sessionId: "s", update: { sessionUpdate: "tool_call_update", status: "completed", toolCallId: "t" } },
    });
  expect(lines).toEqual([
    '03:04:05.036 client _acme/ask #a (8dd4cf01…) {"deep":{"x":1}}',
    '03:04:05.046 agent  _acme/ask #a failed after 10 ms {"code":-32601,"message":"Method not found"}',
    '03:04:05.056 client $/cancel_request {"requestId":"a"}',
    '03:04:05.066 agent  session/update (s) tool_call_update {"toolCallId":"t","status":"completed"}',
  ]);
});

test("a violation is shown after its message, and in the summary", () => {
  const logged = new Logged()
    .take("agent", "warming up")
    .take("agent", { id: 9, result: {} })
    .take("agent", { id: 1, method: "terminal/output", params: { sessionId: "s" } });
  expect(logged.log.end(logged.inspector.unanswered())).toBe(true);
  expect(logged.lines).toEqual([
    "03:04:05.036 agent  no JSON: warming up",
    "03:04:05.036 agent  ! is no JSON: only messages may be written here",
    "03:04:05.046 agent  a request that nobody has made #9 answered {}",
    "03:04:05.046 agent  ! /id: is that of no request that waits for an answer",
    "03:04:05.056 agent  terminal/output #1 (s) {}",
    "03:04:05.056 agent  ! /terminalId: is required",
    "03:04:05.056 agent  ! /method: needs terminal, which the client did not advertise (INIT-12)",
    "03:04:05.056 agent  ! terminal/output #1 was never answered",
    "40 ms; requests: 1 of the client, 1 of the agent, 1 never answered; notifications: 0",
    "What is wrong, and how often:",
    "     1 × agent text is no JSON: only messages may be written here",
    "     1 × agent answer /id: is that of no request that waits for an answer",
    "     1 × agent terminal/output /terminalId: is required",
    "     1 × agent terminal/output /method: needs terminal, which the client did not advertise (INIT-12)",
  ]);
});

test("the same wrong in many messages, and in many places of a list, is one line of the summary", () => {
  const logged = new Logged();
  for (const place of [0, 1, 2]) {
    const entries = [0, 1, 2].map((index) => ({
      content: "c",
      priority: "low",
      status: index === place ? "?" : "pending",
    }));
    const update = { sessionUpdate: "plan", entries };
    logged.take("agent", { method: "session/update", params: { sessionId: "s", update } });
  }
  logged.log.end([]);
  expect(logged.lines.at(-1)).toMatch(/^ {5}3 × agent session\/update \/update\/entries\/…\/status: expected one of/u);
});

test("chunks of one text are one line, which is written when something else comes, or nothing for a second", () => {
  const logged = new Logged().chunk("Hel").chunk("lo").chunk("Hmm", "agent_thought_chunk").chunk("Hi", undefined, "b");
  expect(logged.lines).toEqual([
    '03:04:05.036 agent  session/update (s) agent_message_chunk × 2 in 10 ms "Hello"',
    '03:04:05.056 agent  session/update (s) agent_thought_chunk "Hmm"',
  ]);
  vi.advanceTimersByTime(999);
  expect(logged.lines).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(logged.lines.at(-1)).toBe('03:04:05.066 agent  session/update (b) agent_message_chunk "Hi"');
  logged.chunk("!").log.note("agent", "ended");
  expect(logged.lines[3]).toMatch(/agent_message_chunk "!"$/u);
  expect(logged.lines[4]).toMatch(/agent {2}ended$/u);
});

test("a chunk with something more, or something wrong, has a line of its own", () => {
  const chunk = (more: object): object => ({
    method: "session/update",
    params: {
      sessionId: "s",
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "a" }, ...more },
    },
  });
  const { lines } = new Logged()
    .chunk("1")
    .take("agent", chunk({ _meta: { a: 1 } }))
    .take("agent", chunk({ extra: 1 }))
    .chunk("2");
  expect(lines.map((line) => line.slice(13))).toEqual([
    'agent  session/update (s) agent_message_chunk "1"',
    'agent  session/update (s) agent_message_chunk {"content":{"type":"text","text":"a"},"_meta":{"a":1}}',
    'agent  session/update (s) agent_message_chunk {"content":{"type":"text","text":"a"},"extra":1}',
    "agent  ! /update/extra: is no member of the protocol",
  ]);
});

test("a long message is cut off unless it is wanted whole, and never in the middle of a character", () => {
  const long = `${"x".repeat(147)}${"😀".repeat(10)}`;
  const params = { text: long };
  const [cut] = new Logged().take("client", { method: "_m", params }).lines;
  expect(cut).toMatch(/^03:04:05.036 client _m \{"text":"x{147}😀😀… \(178 characters\)$/u);
  const [whole] = new Logged(true).take("client", { method: "_m", params }).lines;
  expect(whole).toBe(`03:04:05.036 client _m ${JSON.stringify(params)}`);
});

test("an invalid message is shown as it is, and so are params that are not an object", () => {
  const logged = new Logged();
  logged.log.message(logged.inspector.take("client", [1, { a: 2 }], new Date(start)), [1, { a: 2 }]);
  logged.take("client", { id: 1, method: "session/new", params: ["/x", []] });
  logged.take("client", { id: 2, method: "session/list", params: { sessionId: 5 } });
  expect(logged.lines.filter((line) => !line.includes("!")).map((line) => line.slice(13))).toEqual([
    'client no message: [1,{"a":2}]',
    'client session/new #1 ["/x",[]]',
    'client session/list #2 {"sessionId":5}',
  ]);
});

test("no secret is shown, wherever it appears", () => {
  const key = "sk-abcdefghijklmnopqrst";
  const logged = new Logged()
    .take("client", { id: key, method: `_m/${key}`, params: { sessionId: key, text: key } })
    .chunk("my sk-abcdefgh")
    .chunk("ijklmnopqrst", undefined);
  logged.log.stderr(`API_KEY=hunter2 and ${key}`);
  logged.log.lost("client", `of ${key}`);
  logged.log.end(logged.inspector.unanswered());
  const text = logged.lines.join("\n");
  expect(text).not.toContain("abcdefgh");
  expect(text).not.toContain("hunter2");
  expect(text).toContain('agent_message_chunk × 2 in 10 ms "my [redacted]"');
  expect(text).toContain("stderr: API_KEY=[redacted]");
});

test("a message that was not passed on is something wrong", () => {
  const { log, lines } = new Logged();
  log.lost("client", "It is too large", new Date(start));
  expect(log.end([])).toBe(true);
  expect(lines).toContain("03:04:05.006 client ! It is too large");
  expect(lines.at(-1)).toBe("     1 × client message: It is too large");
});

test("does not write or keep a peer's endless inventions", () => {
  const logged = new Logged();
  const entries = Array.from({ length: 30 }, () => ({ content: 1 }));
  logged.take("agent", {
    method: "session/update",
    params: { sessionId: "s", update: { sessionUpdate: "plan", entries } },
  });
  expect(logged.lines).toHaveLength(22);
  expect(logged.lines.at(-1)).toMatch(/agent {2}! and \d+ more$/u);
  for (let index = 0; index < 2_000; index++) logged.take("agent", { method: `made/up/${index}` });
  logged.log.end([]);
  expect(logged.lines.at(-1)).toMatch(/^ +\d+ × something else$/u);
});

test("a recording without times can be read", () => {
  const logged = new Logged();
  const message = { jsonrpc: "2.0", id: 1, method: "session/list", params: {} };
  logged.log.message(logged.inspector.take("client", message, new Date(Number.NaN)), message);
  expect(logged.lines).toContain("--:--:--.--- client session/list #1 {}");
});

test("nothing that a peer sends reaches a terminal as a command to it", () => {
  const evil = "\u{e0041}\u001b[2J\u009b2J\r\n\u202e\u2028\u200b\u007f\u0007";
  const logged = new Logged()
    .take("agent", evil)
    .take("agent", { id: evil, method: `_${evil}`, params: { sessionId: evil, [evil]: evil } })
    .take("client", { id: evil, result: { [evil]: evil } })
    .chunk(evil, evil, evil);
  logged.log.note("agent", evil);
  logged.log.end(logged.inspector.unanswered());
  for (const line of logged.lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});
