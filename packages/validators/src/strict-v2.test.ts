import { createMemoryTransportPair, type Diagnostic, UsageError } from "@acp/core";
import { createAgent, createClient } from "@acp/core/v2";
import { describe, expect, test } from "vitest";
import { createStrictSide, type StrictSide } from "./testing/strict-pair.ts";
import { createStrictValidator, strictValidator } from "./v2/strict/index.ts";
import { strictValidator as unstableValidator } from "./v2/unstable/strict/index.ts";

const update = (body: object, sessionId = "s"): object => ({
  method: "session/update",
  params: { sessionId, update: body },
});
const state = (name: string, more: object = {}): object =>
  update({ sessionUpdate: "state_update", state: name, ...more });
const text = { type: "text", text: "Hello" };
const chunk = (messageId: string): object => update({ sessionUpdate: "agent_message_chunk", messageId, content: text });
const toolCall = (toolCallId: string, more: object = {}): object =>
  update({ sessionUpdate: "tool_call_update", toolCallId, ...more });
const question = { title: "May I?", sessionId: "s" };
const allow = { optionId: "a", name: "Allow", kind: "allow_once" };
const setup = { sessionId: "s", cwd: "/project" };

/** An agent's side whose session `s` was made on its connection. */
async function withSession(): Promise<StrictSide> {
  const side = createStrictSide(strictValidator, "agent");
  await side.receive({ id: "new", method: "session/new", params: { cwd: "/project" } });
  side.send({ id: "new", result: { sessionId: "s" } });
  return side;
}

/** The same of a client, which is told all that its agent says against the protocol. */
async function clientWithSession(): Promise<StrictSide> {
  const side = createStrictSide(strictValidator, "client");
  side.send({ id: "new", method: "session/new", params: { cwd: "/project" } });
  await side.receive({ id: "new", result: { sessionId: "s" } });
  return side;
}

test("surplus members next to the params of a request are reported, or refused by option", async () => {
  for (const [surplusMembers, delivered] of [
    ["report", 1],
    ["refuse", 0],
  ] as const) {
    const side = createStrictSide(createStrictValidator({ surplusMembers }), "agent");
    await side.receive({ id: 1, type: "com.example.JsonRpcRequest", method: "session/new", params: { cwd: "/x" } });
    expect(side.delivered).toHaveLength(delivered);
    expect(side.diagnostics).toMatchObject([{ type: "violation", violations: [{ path: "/type" }] }]);
  }
});

describe("the types of version 2", () => {
  const agent = (message: object) => () => createStrictSide(strictValidator, "agent").send(message);
  const client = (message: object) => () => createStrictSide(strictValidator, "client").send(message);

  test.each([
    [
      "a member of one's own",
      agent(chunk("m")),
      agent(update({ ...updateOf(chunk("m")), color: "red" })),
      "/update/color",
    ],
    [
      "a stop reason of work that has not ended",
      agent(state("idle", { stopReason: "end_turn" })),
      agent(state("running", { stopReason: "end_turn" })),
      "/update/stopReason",
    ],
    [
      "a relative path",
      client({ id: 1, method: "session/new", params: { cwd: "/x", additionalDirectories: ["/y"] } }),
      client({ id: 1, method: "session/new", params: { cwd: "/x", additionalDirectories: ["y"] } }),
      "/additionalDirectories/0: expected an absolute path",
    ],
    [
      "a relative path where null is one, too",
      agent(update({ sessionUpdate: "terminal_update", terminalId: "t", cwd: null })),
      agent(update({ sessionUpdate: "terminal_update", terminalId: "t", cwd: "x" })),
      "/update/cwd: expected an absolute path",
    ],
    [
      "output that is not base64",
      agent(update({ sessionUpdate: "terminal_output_chunk", terminalId: "t", data: "aGk=" })),
      agent(update({ sessionUpdate: "terminal_output_chunk", terminalId: "t", data: "hi" })),
      "/update/data: expected base64",
    ],
    [
      "a kind of update that is reserved",
      agent(update({ sessionUpdate: "_acme_mood", mood: "good" })),
      agent(update({ sessionUpdate: "agent_mesage_chunk", messageId: "m", content: text })),
      "/update/sessionUpdate: expected a value of the protocol, or an extension's, which begins with _",
    ],
    [
      "a status that is reserved",
      agent(toolCall("c", { status: "_acme_held" })),
      agent(toolCall("c", { status: "done" })),
      "/update/status: expected one of",
    ],
    [
      "options with one id",
      agent({ id: 1, method: "session/request_permission", params: { ...question, options: [allow] } }),
      agent({ id: 1, method: "session/request_permission", params: { ...question, options: [allow, allow] } }),
      "/options/1/optionId: is that of another option",
    ],
  ])("refuse %s", (_what, right, wrong, problem) => {
    expect(right).not.toThrow();
    expect(wrong).toThrow(UsageError);
    expect(wrong).toThrow(problem);
  });

  test("have their unstable parts in a validator of its own", () => {
    const fork = { id: 1, method: "session/fork", params: { sessionId: "s", cwd: "/x" } };
    expect(client(fork)).toThrow("/method");
    const unstable = createStrictSide(unstableValidator, "client");
    unstable.send(fork);
    expect(() => unstable.send({ ...fork, params: { ...fork.params, color: "red" } })).toThrow("/color");
  });
});

function updateOf(message: object): object {
  return (message as { readonly params: { readonly update: object } }).params.update;
}

describe("around the params, version 2", () => {
  test("has no id that is null, and nothing that could be answered to it", async () => {
    const side = createStrictSide(strictValidator, "agent");
    await side.receive({ id: null, method: "session/list", params: {} });
    expect(side.delivered).toHaveLength(1);
    expect(await side.sent()).toEqual([]);
    expect(side.diagnostics).toMatchObject([{ type: "violation", violations: [{ path: "/id" }] }]);
  });

  test("does not object to the first messages of version 1, which have their own shape", async () => {
    const agent = createStrictSide(strictValidator, "agent");
    await agent.receive({ id: 1, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } });
    const client = createStrictSide(strictValidator, "client");
    const params = { protocolVersion: 2, info: { name: "c", version: "1" }, capabilities: {} };
    client.send({ id: 1, method: "initialize", params });
    await client.receive({ id: 1, result: { protocolVersion: 1, agentCapabilities: {} } });
    expect([...agent.diagnostics, ...client.diagnostics]).toEqual([]);
    client.send({ id: 2, method: "initialize", params });
    await client.receive({ id: 2, result: { protocolVersion: 2, agentCapabilities: {} } });
    expect(client.diagnostics).toMatchObject([{ type: "violation", method: "initialize" }]);
  });
});

describe("a session that is resumed", () => {
  test("must receive its state before the answer", async () => {
    const side = createStrictSide(strictValidator, "agent");
    await side.receive({ id: 1, method: "session/resume", params: setup });
    expect(() => side.send({ id: 1, result: {} })).toThrow("before a state_update");
    side.send(state("idle"));
    side.send({ id: 1, result: {} });
    await side.receive({ id: 2, method: "session/resume", params: setup });
    side.send({ id: 2, error: { code: -32_002, message: "No such session" } });
  });

  test("may report its work, with and without a replay", async () => {
    const side = await clientWithSession();
    await side.receive(state("running"));
    await side.receive(chunk("m"));
    for (const [id, replayFrom] of [null, { type: "start" }].entries()) {
      side.send({ id, method: "session/resume", params: { ...setup, replayFrom } });
      await side.receive(chunk("m"));
      await side.receive(state("running"));
      await side.receive({ id, result: {} });
      await side.receive(chunk("m"));
    }
    expect(side.diagnostics).toEqual([]);
  });

  test("has messages from before it was closed emptied before chunks are replayed", async () => {
    const side = await withSession();
    side.send(chunk("m"));
    side.send(chunk("n"));
    await side.receive({ id: 1, method: "session/close", params: { sessionId: "s" } });
    side.send({ id: 1, result: {} });
    await side.receive({ id: 2, method: "session/resume", params: { ...setup, replayFrom: { type: "start" } } });
    expect(() => side.send(chunk("m"))).toThrow("before an update has emptied the message");
    side.send(update({ sessionUpdate: "agent_thought_chunk", messageId: "m", content: text }));
    side.send(update({ sessionUpdate: "agent_message", messageId: "m", content: [] }));
    side.send(chunk("m"));
    side.send(chunk("new"));
    side.send(state("idle"));
    side.send({ id: 2, result: {} });
    side.send(chunk("n"));
  });
});

describe("a session that is closed", () => {
  const close = (id: number): object => ({ id, method: "session/close", params: { sessionId: "s" } });

  test("must receive the idle state before the answer", async () => {
    const side = await withSession();
    side.send(state("requires_action"));
    await side.receive(close(1));
    expect(() => side.send({ id: 1, result: {} })).toThrow("reported that the session is idle");
    side.send(state("idle", { stopReason: "cancelled" }));
    side.send({ id: 1, result: {} });
  });

  test("sends nothing until it is open again", async () => {
    const side = await clientWithSession();
    side.send(close(1));
    await side.receive(chunk("m"));
    await side.receive({ id: 1, result: {} });
    expect(side.diagnostics).toEqual([]);
    await side.receive(chunk("m"));
    expect(side.diagnostics).toMatchObject([{ violations: [{ path: "/sessionId" }] }]);
    await side.receive({ id: 9, method: "session/request_permission", params: { ...question, options: [allow] } });
    expect(await side.sent()).toMatchObject([{}, {}, { id: 9, error: { code: -32_602 } }]);
    side.send({ id: 2, method: "session/resume", params: setup });
    await side.receive(state("idle"));
    await side.receive({ id: 2, result: {} });
    await side.receive(chunk("m"));
    expect(side.diagnostics).toHaveLength(2);
  });

  test("may be resumed before that is answered, in whichever order the answers come", async () => {
    const side = await clientWithSession();
    await side.receive(state("running"));
    side.send(close(1));
    side.send({ id: 2, method: "session/resume", params: setup });
    await side.receive(state("running"));
    await side.receive({ id: 2, result: {} });
    await side.receive({ id: 1, result: {} });
    await side.receive(chunk("m"));
    expect(side.diagnostics).toEqual([]);
  });

  test("may have an id that a new session gets", async () => {
    const side = await clientWithSession();
    side.send(close(1));
    await side.receive({ id: 1, result: {} });
    side.send({ id: 2, method: "session/new", params: { cwd: "/project" } });
    await side.receive(chunk("m"));
    await side.receive({ id: 2, result: { sessionId: "s" } });
    await side.receive(chunk("m"));
    expect(side.diagnostics).toEqual([]);
  });
});

describe("one piece of work", () => {
  const cancel = (toolCallId: string, sessionId = "s"): object => ({
    id: toolCallId,
    method: "tool_call/cancel",
    params: { sessionId, toolCallId },
  });

  test("is cancelled if it was reported with the capability, even when the end of it crosses that", async () => {
    const side = await clientWithSession();
    await side.receive(toolCall("c", { capabilities: { cancel: {} } }));
    await side.receive(toolCall("c", { status: "completed", capabilities: null }));
    await side.receive(toolCall("d"));
    side.send(cancel("c"));
    expect(() => side.send(cancel("d"))).toThrow("/toolCallId: names nothing");
    expect(() => side.send(cancel("e"))).toThrow("/toolCallId: names nothing");
    const terminal = { id: "t", method: "terminal/cancel", params: { sessionId: "s", terminalId: "t" } };
    expect(() => side.send(terminal)).toThrow("/terminalId: names nothing");
    await side.receive(
      update({ sessionUpdate: "terminal_update", terminalId: "t", capabilities: { cancel: { _meta: {} } } }),
    );
    side.send(terminal);
  });

  test("of a session from another connection may be known from there", async () => {
    const side = createStrictSide(strictValidator, "client");
    side.send({ id: 1, method: "session/resume", params: setup });
    await side.receive(state("running"));
    await side.receive({ id: 1, result: {} });
    expect(() => side.send(cancel("c"))).not.toThrow();
  });

  test("is answered -32602 if it cannot be cancelled", async () => {
    const side = await withSession();
    await side.receive(cancel("c"));
    expect(await side.sent()).toMatchObject([{ id: "new" }, { id: "c", error: { code: -32_602 } }]);
  });
});

describe("work in the background", () => {
  const item = { type: "tool_call", toolCallId: "c" };
  const terminal = { type: "terminal", terminalId: "t" };
  const idle = (...background: object[]): object => state("idle", { background });

  test("is announced, listed once, and reported as finished before it is gone", async () => {
    const side = await withSession();
    expect(() => side.send(idle(item))).toThrow("/update/background/0: was not announced");
    side.send(toolCall("c", { status: "in_progress" }));
    side.send(update({ sessionUpdate: "terminal_output_chunk", terminalId: "t", data: "" }));
    expect(() => side.send(idle(item, item))).toThrow("/update/background/1: is listed twice");
    side.send(idle(item, terminal, { type: "_acme", id: 1 }));
    expect(() => side.send(idle(item))).toThrow("whose end no update has reported");
    side.send(update({ sessionUpdate: "terminal_update", terminalId: "t", exitStatus: { exitCode: 0 } }));
    side.send(idle(item));
    side.send(toolCall("c", { title: "Build" }));
    expect(() => side.send(idle())).toThrow("whose end no update has reported");
    side.send(toolCall("c", { status: "failed" }));
    side.send(toolCall("c", { title: "Built" }));
    side.send(idle());
  });

  test("is in each state once it was in one, until the session is closed", async () => {
    const side = await withSession();
    side.send(state("running"));
    side.send(idle());
    expect(() => side.send(state("running"))).toThrow("/update/background: is missing");
    await side.receive({ id: 1, method: "session/close", params: { sessionId: "s" } });
    side.send({ id: 1, result: {} });
    await side.receive({ id: 2, method: "session/resume", params: setup });
    side.send(state("idle"));
    side.send({ id: 2, result: {} });
  });

  test("of a session that was resumed may have been announced before", async () => {
    const side = createStrictSide(strictValidator, "agent");
    await side.receive({ id: 1, method: "session/resume", params: setup });
    side.send(idle(item));
    side.send({ id: 1, result: {} });
    expect(() => side.send(idle())).toThrow("whose end no update has reported");
    await side.receive({ id: 2, method: "session/resume", params: setup });
    side.send(idle());
    side.send({ id: 2, result: {} });
  });
});

test("a question by URL keeps its id to itself until it is over, and a compaction may be patched when it is", async () => {
  const side = await withSession();
  const ask = (id: number): object => ({
    id,
    method: "elicitation/create",
    params: { mode: "url", sessionId: "s", elicitationId: "e", url: "https://example.com/", message: "Open it" },
  });
  side.send(ask(1));
  expect(() => side.send(ask(2))).toThrow("is in use");
  await side.receive({ id: 1, result: { action: "decline" } });
  side.send(ask(2));
  const compaction = { compactionId: "c" };
  side.send(update({ sessionUpdate: "compaction_summary_chunk", ...compaction, content: text }));
  side.send(update({ sessionUpdate: "compaction_update", ...compaction, status: "completed" }));
  side.send(update({ sessionUpdate: "compaction_update", ...compaction, status: "completed", summary: null }));
});

test("a whole connection of version 2 runs without a word", async () => {
  const info = { name: "strict", version: "1.0.0" };
  const told: Diagnostic[] = [];
  const common = {
    info,
    validate: strictValidator,
    onDiagnostic: (diagnostic: Diagnostic) => void told.push(diagnostic),
  };
  const agent = createAgent({
    ...common,
    handlers: {
      "session/prompt": async (_params, { turn, session }) => {
        await turn.message("Hello");
        const call = await turn.toolCall({ title: "Build", kind: "execute", capabilities: { cancel: {} } });
        await call.requestPermission();
        await session.setBackground([{ type: "tool_call", toolCallId: call.id }]);
        await call.complete("done");
        await session.setBackground([]);
        return { stopReason: "end_turn" };
      },
      "session/resume": (_params, { session }) =>
        session.update({ sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text: "Hi" } }),
    },
  });
  const client = createClient({
    ...common,
    handlers: {
      "session/update": () => {},
      "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "allow" } }),
    },
  });
  const [ours, theirs] = createMemoryTransportPair();
  agent.connect(theirs);
  const connected = await client.connect(ours);
  const session = await connected.newSession({ cwd: "/project" });
  expect(await session.prompt("Hi").finished).toMatchObject({ stopReason: "end_turn" });
  const { id: sessionId } = session;
  const replayFrom = { type: "start" } as const;
  const again = await connected.resumeSession({ sessionId, cwd: "/project", replayFrom });
  await again.close();
  await (await connected.resumeSession({ sessionId, cwd: "/project", replayFrom })).close();
  await connected.close();
  expect(told).toEqual([]);
});
