import { createAgent, createClient, createMemoryTransportPair, type Diagnostic, UsageError } from "@acp/core";
import { createAgent as createUnstableAgent } from "@acp/core/unstable";
import { describe, expect, test } from "vitest";
import { createStrictSide } from "./testing/strict-pair.ts";
import { strictValidator as unstableValidator } from "./v1/unstable/strict/index.ts";
import { createStrictValidator, strictValidator } from "./v1/strict/index.ts";

const update = (body: object, sessionId = "s"): object => ({
  method: "session/update",
  params: { sessionId, update: body },
});
const text = { type: "text", text: "Hello" };
const newSession = { cwd: "/project", mcpServers: [] };

describe("a message that is sent", () => {
  const agent = (message: object) => () => createStrictSide(strictValidator, "agent").send(message);
  const client = (message: object) => () => createStrictSide(strictValidator, "client").send(message);

  test("passes when it is valid, extensions and _meta included (EXT-01/client)", async () => {
    const side = createStrictSide(strictValidator, "client");
    const _meta = { "acme.dev/trace": [1], anything: { at: "all" } };
    side.send({ id: 1, method: "session/new", params: { ...newSession, _meta } });
    side.send({ id: 2, method: "_acme/ping", params: { whatever: 1 } });
    side.send({ method: "_acme/note" });
    expect(await side.sent()).toHaveLength(3);
    expect(side.diagnostics).toEqual([]);
  });

  test.each([
    [
      "a prompt (EXT-02/client, CHK-07/client)",
      client({ id: 1, method: "session/prompt", params: { sessionId: "s", prompt: [text], model: "x" } }),
      "/model",
    ],
    [
      "a block of a prompt (EXT-02/client, CHK-07/client)",
      client({ id: 1, method: "session/prompt", params: { sessionId: "s", prompt: [{ ...text, color: "red" }] } }),
      "/prompt/0/color",
    ],
    [
      "an update (EXT-02/agent, CHK-07/agent)",
      agent(update({ sessionUpdate: "agent_message_chunk", content: text, id: 1 })),
      "/update/id",
    ],
    [
      "the location of a tool call (EXT-02/agent, CHK-07/agent)",
      agent(
        update({ sessionUpdate: "tool_call", toolCallId: "c", title: "T", locations: [{ path: "/x", column: 1 }] }),
      ),
      "/update/locations/0/column",
    ],
    [
      "a capability (EXT-02/client, CHK-07/client)",
      client({
        id: 1,
        method: "initialize",
        params: { protocolVersion: 1, clientCapabilities: { fs: { delete: true } } },
      }),
      "/clientCapabilities/fs/delete",
    ],
  ])("is refused with a member of one's own at the root of %s", (_what, send, path) => {
    expect(send).toThrow(UsageError);
    expect(send).toThrow(`${path}: is no member of the protocol`);
  });

  test.each([
    ["UPD-06", update({ sessionUpdate: "usage_update", used: -1, size: 10 }), "/update/used: expected at least 0"],
    ["NOTC-02", update({ sessionUpdate: "notice", severity: "info", title: "" }), "/update/title: expected 1 or more"],
    [
      "PLAN-06",
      update({ sessionUpdate: "plan", entries: [{ content: "x", priority: "high" }] }),
      "/update/entries/0/status: is required",
    ],
    [
      "CONT-03/agent",
      update({ sessionUpdate: "agent_message_chunk", content: { type: "image", mimeType: "image/png", data: "a b" } }),
      "/update/content/data: expected base64",
    ],
    [
      "TOOL-13",
      update({ sessionUpdate: "tool_call", toolCallId: "c", title: "T", locations: [{ path: "/x", line: 0 }] }),
      "/update/locations/0/line: expected at least 1",
    ],
    [
      "PERM-03",
      {
        id: 1,
        method: "session/request_permission",
        params: { sessionId: "s", toolCall: { toolCallId: "c" }, options: [{ optionId: "a", name: "A", kind: "yes" }] },
      },
      "/options/0/kind: expected one of",
    ],
  ])("is refused when it breaks %s", (_rule, message, problem) => {
    expect(agent(message)).toThrow(problem);
  });

  test("takes the base64 of an empty and of a padded text (CONT-03/agent)", () => {
    for (const data of ["", "aGk=", "aGkh"]) {
      const content = { type: "audio", mimeType: "audio/wav", data };
      expect(agent(update({ sessionUpdate: "agent_message_chunk", content }))).not.toThrow();
    }
    for (const data of ["aGk", "aGk==", "a-_h", "=aaa"]) {
      const content = { type: "audio", mimeType: "audio/wav", data };
      expect(agent(update({ sessionUpdate: "agent_message_chunk", content }))).toThrow(/base64/);
    }
  });

  test("names a method of the protocol, or starts with _ (EXT-06/agent)", () => {
    expect(agent({ id: 1, method: "vendor/thing", params: {} })).toThrow(/EXT-06/);
    expect(agent({ method: "session/updates", params: {} })).toThrow(/EXT-06/);
    expect(agent({ ...update({ sessionUpdate: "plan", entries: [] }), id: 1 })).toThrow("/id: is no member");
  });

  test("must have an object as its params", () => {
    expect(client({ id: 1, method: "session/new", params: [] })).toThrow("session/new: expected an object");
  });

  test("as an answer is held to the result of its method", async () => {
    const side = createStrictSide(strictValidator, "agent");
    await side.receive({ id: "a", method: "session/new", params: newSession });
    expect(() => side.send({ id: "a", result: { sessionId: "s", model: "x" } })).toThrow(/session\/new: \/model/);
  });

  test("is refused with an error that hides its values", () => {
    const secret = "sk-very-secret";
    try {
      client({ id: 1, method: "session/new", params: { cwd: secret, mcpServers: secret } })();
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toContain(secret);
    }
  });
});

describe("the order of an agent's messages", () => {
  const compaction = (status: string) => update({ sessionUpdate: "compaction_update", compactionId: "c", status });
  const chunk = update({ sessionUpdate: "compaction_summary_chunk", compactionId: "c", content: text });

  test("a compaction starts, continues and ends once (NOTC-07)", () => {
    const side = createStrictSide(strictValidator, "agent");
    expect(() => side.send(chunk)).toThrow(/has not begun/);
    side.send(compaction("in_progress"));
    side.send(chunk);
    side.send(compaction("completed"));
    expect(() => side.send(chunk)).toThrow(/is over \(NOTC-07\)/);
    expect(() => side.send(compaction("failed"))).toThrow(/is over/);
  });

  test("two tool calls of a session have two ids (TOOL-02)", () => {
    const side = createStrictSide(strictValidator, "agent");
    const call = (session: string) => update({ sessionUpdate: "tool_call", toolCallId: "c", title: "T" }, session);
    side.send(call("s"));
    side.send(call("t"));
    expect(() => side.send(call("s"))).toThrow(/TOOL-02/);
  });

  test("history is sent when a session is loaded, under the same ids, and not when it is resumed (SESS-12)", async () => {
    const side = createStrictSide(strictValidator, "agent");
    const call = update({ sessionUpdate: "tool_call", toolCallId: "c", title: "T" });
    const setup = { sessionId: "s", ...newSession };
    side.send(call);
    await side.receive({ id: 1, method: "session/load", params: setup });
    side.send(call);
    side.send({ id: 1, result: {} });
    await side.receive({ id: 2, method: "session/resume", params: setup });
    expect(() => side.send(update({ sessionUpdate: "user_message_chunk", content: text }))).toThrow(/SESS-12/);
    side.send(update({ sessionUpdate: "available_commands_update", availableCommands: [] }));
    side.send({ id: 2, result: {} });
    side.send(update({ sessionUpdate: "agent_message_chunk", content: text }));
  });

  test("late updates of a turn whose session is resumed do not count as history to the client that receives them", async () => {
    const side = createStrictSide(strictValidator, "client");
    const said = update({ sessionUpdate: "agent_message_chunk", content: text });
    const resume = (id: number): void =>
      side.send({ id, method: "session/resume", params: { sessionId: "s", ...newSession } });
    side.send({ id: 1, method: "session/new", params: newSession });
    await side.receive({ id: 1, result: { sessionId: "s" } });
    resume(2);
    await side.receive(said);
    await side.receive({ id: 2, result: {} });
    expect(side.diagnostics).toEqual([]);
    side.send({ id: 3, method: "session/close", params: { sessionId: "s" } });
    await side.receive({ id: 3, result: {} });
    resume(4);
    await side.receive(said);
    expect(side.diagnostics).toMatchObject([{ type: "violation", message: expect.stringContaining("SESS-12") }]);
  });

  test("a question by URL keeps its id to itself until it is over (ELIC-17)", async () => {
    const side = createStrictSide(strictValidator, "agent");
    const ask = (id: number): object => ({
      id,
      method: "elicitation/create",
      params: { mode: "url", sessionId: "s", elicitationId: "e", url: "https://example.com/", message: "Open it" },
    });
    side.send(ask(1));
    expect(() => side.send(ask(2))).toThrow(/ELIC-17/);
    await side.receive({ id: 1, result: { action: "accept" } });
    expect(() => side.send(ask(2))).toThrow(/ELIC-17/);
    side.send({ method: "elicitation/complete", params: { elicitationId: "e" } });
    side.send(ask(2));
    await side.receive({ id: 2, result: { action: "decline" } });
    side.send(ask(3));
  });

  test("a terminal is shown before it is released (TOOL-11)", () => {
    const side = createStrictSide(strictValidator, "agent");
    const shown = (toolCallId: string): object =>
      update({ sessionUpdate: "tool_call", toolCallId, title: "T", content: [{ type: "terminal", terminalId: "t" }] });
    side.send(shown("c"));
    side.send({ id: 1, method: "terminal/release", params: { sessionId: "s", terminalId: "t" } });
    expect(() => side.send(shown("d"))).toThrow(/TOOL-11/);
  });

  test("a tool call continues showing a terminal that was released, and no other one (TOOL-11)", () => {
    const side = createStrictSide(strictValidator, "agent");
    const content = (...ids: readonly string[]): object => ({
      content: ids.map((terminalId) => ({ type: "terminal", terminalId })),
    });
    const release = (id: number, terminalId: string): void =>
      side.send({ id, method: "terminal/release", params: { sessionId: "s", terminalId } });
    const change = (more: object): void =>
      side.send(update({ sessionUpdate: "tool_call_update", toolCallId: "c", ...more }));
    side.send(update({ sessionUpdate: "tool_call", toolCallId: "c", title: "T", ...content("t") }));
    change(content("t", "u"));
    release(1, "t");
    release(2, "u");
    release(3, "v");
    change({ status: "in_progress" });
    // Also after an update without it: the list is replaced each time.
    change(content());
    change({ status: "completed", ...content("t", "u") });
    expect(() => change(content("t", "v"))).toThrow("/update/content/1/terminalId: names a terminal that was released");
    const other = { sessionUpdate: "tool_call_update", toolCallId: "d", ...content("t") };
    expect(() => side.send(update(other))).toThrow(/TOOL-11/);
  });
});

describe("an error that is sent", () => {
  test.each([
    [-32_602, "/error/code: expected an integer; /error/message: expected a string"],
    [{ code: -32_602, message: { a: 1 }, data: "words" }, "/error/message: expected a string"],
    [{ code: "E_QUOTA", message: "No quota" }, "/error/code: expected an integer"],
    [null, "/error/code: expected an integer"],
  ])("is refused where it is invalid: %j", async (error, reason) => {
    const side = createStrictSide(strictValidator, "agent");
    await side.receive({ id: 3, method: "session/new", params: newSession });
    expect(() => side.send({ id: 3, error })).toThrow(UsageError);
    expect(() => side.send({ id: 3, error })).toThrow(`An error answer: ${reason}`);
    side.send({ id: 3, error: { code: -32_602, message: "No", data: 1 } });
    expect(await side.sent()).toHaveLength(1);
  });
});

describe("a message that is received", () => {
  test("a request that breaks the protocol is answered -32602 with the place and the reason (RPC-08/agent, ERR-05/agent)", async () => {
    const side = createStrictSide(strictValidator, "agent");
    await side.receive({ id: "x", method: "session/new", params: { ...newSession, model: "m" } });
    expect(side.delivered).toEqual([]);
    const error = {
      code: -32602,
      message: "Invalid params: /model is no member of the protocol",
      data: { path: "/model", reason: "is no member of the protocol" },
    };
    expect(await side.sent()).toEqual([{ jsonrpc: "2.0", id: "x", error }]);
    expect(side.diagnostics).toMatchObject([{ type: "violation", method: "session/new" }]);
  });

  test.each([
    ["type", { type: "com.example.JsonRpcRequest" }],
    ["two members", { type: "com.example.JsonRpcRequest", timestamp: 1 }],
  ])("a request with surplus members next to its params is reported and delivered: %s", async (_what, members) => {
    const side = createStrictSide(strictValidator, "agent");
    await side.receive({ method: "session/new", params: newSession, id: "x", ...members });
    expect(side.delivered).toHaveLength(1);
    expect(await side.sent()).toEqual([]);
    const violations = Object.keys(members).map((name) => ({ path: `/${name}`, reason: "is no member of a message" }));
    expect(side.diagnostics).toMatchObject([{ type: "violation", violations }]);
    await side.receive({ method: "session/prompt", params: { sessionId: "s", prompt: 1 }, id: "y", ...members });
    expect(side.delivered).toHaveLength(1);
    expect(await side.sent()).toMatchObject([{ id: "y", error: { code: -32602, data: { path: "/prompt" } } }]);
  });

  test.each([
    ["a member beside its params", { id: "x", top: 1 }, "/top"],
    ["a type beside its params", { id: "x", type: "com.example.JsonRpcRequest" }, "/type"],
    ["a fraction as its id", { id: 1.5 }, "/id"],
  ])("a request with %s is answered -32600, if surplus members are refused", async (_what, members, path) => {
    const side = createStrictSide(createStrictValidator({ surplusMembers: "refuse" }), "agent");
    await side.receive({ method: "session/new", params: newSession, ...members });
    expect(side.delivered).toEqual([]);
    expect(await side.sent()).toMatchObject([{ id: members.id, error: { code: -32600, data: { path } } }]);
    expect(side.diagnostics).toMatchObject([{ type: "violation", violations: [{ path }] }]);
  });

  test("a request with the id null that breaks the protocol reaches no handler", async () => {
    const side = createStrictSide(strictValidator, "agent");
    await side.receive({ id: null, method: "session/new", params: { ...newSession, model: "m" } });
    expect(side.delivered).toEqual([]);
    expect(await side.sent()).toMatchObject([{ id: null, error: { code: -32602 } }]);
  });

  test("an id, of whichever message, may be nested deeper than can be written", async () => {
    const side = createStrictSide(strictValidator, "agent");
    const id = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    await side.receiveText(`{"jsonrpc":"2.0","id":${id},"method":"session/new","params":{}}`);
    await side.receiveText(`{"jsonrpc":"2.0","id":${id},"method":"session/cancel","params":{}}`);
    await side.receiveText(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    expect(side.delivered).toHaveLength(3);
    expect(await side.sent()).toEqual([]);
  });

  test("an unprintable name of a field is not repeated", async () => {
    const side = createStrictSide(strictValidator, "client");
    const properties = { "a\u001B[31m\n": { type: "object" } };
    const params = { sessionId: "s", mode: "form", message: "", requestedSchema: { type: "object", properties } };
    await side.receive({ id: 1, method: "elicitation/create", params });
    const path = "/requestedSchema/properties/*/type";
    expect(await side.sent()).toMatchObject([{ error: { code: -32602, data: { path } } }]);
    expect(side.diagnostics).toMatchObject([{ message: expect.stringContaining(path) as string }]);
  });

  test.each([
    ["is no method", { id: 1, method: "vendor/thing", params: {} }, "/method"],
    ["is no notification", { method: "session/updates", params: {} }, "/method"],
    ["lacks the id of a request", { method: "session/request_permission", params: {} }, "/id"],
    ["has the id of a request", { ...update({}), id: 1 }, "/id"],
    ["has a member beside its params", { ...update({ sessionUpdate: "plan", entries: [] }), top: 1 }, "/top"],
  ])("a message that %s is reported and left to the connection", async (_what, message, path) => {
    const side = createStrictSide(strictValidator, "client");
    await side.receive(message);
    expect(side.delivered).toHaveLength(1);
    expect(side.diagnostics).toMatchObject([{ type: "violation", violations: [{ path }] }]);
  });

  test("an answer with a member of one's own is reported", async () => {
    const side = createStrictSide(strictValidator, "client");
    side.send({ id: 1, method: "session/new", params: newSession });
    await side.receive({ id: 1, result: { sessionId: "s" }, took: 5 });
    expect(side.delivered).toHaveLength(1);
    expect(side.diagnostics).toMatchObject([{ type: "violation", violations: [{ path: "/took" }] }]);
  });

  test("a notification and an answer are reported and delivered", async () => {
    const side = createStrictSide(strictValidator, "client");
    side.send({ id: 1, method: "session/new", params: newSession });
    await side.receive(update({ sessionUpdate: "_acme_mood", mood: "good" }));
    await side.receive({ id: 1, result: { sessionId: "s", model: "m" } });
    expect(side.delivered).toHaveLength(2);
    expect(side.diagnostics).toMatchObject([
      { type: "violation", method: "session/update", violations: [{ path: "/update/sessionUpdate" }] },
      { type: "violation", method: "session/new", violations: [{ path: "/model" }] },
    ]);
  });

  test("a client of another version is answered all the same (INIT-09)", async () => {
    const side = createStrictSide(strictValidator, "agent");
    const params = { protocolVersion: 2, info: { name: "c", version: "1" }, capabilities: {} };
    await side.receive({ id: 1, method: "initialize", params });
    expect(side.delivered).toHaveLength(1);
    expect(side.diagnostics).toMatchObject([{ type: "violation", method: "initialize" }]);
  });

  test("a request is not refused when its id cannot be sent back as it came (RPC-04/agent)", async () => {
    const side = createStrictSide(strictValidator, "agent");
    await side.receive({ id: 2 ** 60, method: "session/new", params: { ...newSession, model: "m" } });
    expect(side.delivered).toHaveLength(1);
  });
});

describe("a whole connection", () => {
  const info = { name: "strict", version: "1.0.0" };

  test("runs a turn without a word", async () => {
    const told: Diagnostic[] = [];
    const onDiagnostic = (diagnostic: Diagnostic): void => void told.push(diagnostic);
    const agent = createAgent({
      info,
      validate: strictValidator,
      onDiagnostic,
      handlers: {
        "session/prompt": async (_params, { turn }) => {
          await turn.message("Hello");
          const call = await turn.toolCall({
            title: "Read",
            kind: "read",
            locations: [{ path: "/project/x", line: 1 }],
          });
          await call.requestPermission();
          await call.complete("done");
          return { stopReason: "end_turn" };
        },
      },
    });
    const client = createClient({
      info,
      validate: strictValidator,
      onDiagnostic,
      handlers: {
        "session/update": () => {},
        "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "allow" } }),
      },
    });
    const [ours, theirs] = createMemoryTransportPair();
    agent.connect(theirs);
    const connected = await client.connect(ours);
    const session = await connected.newSession({ cwd: "/project" });
    await expect(session.prompt("Hi").response).resolves.toMatchObject({ stopReason: "end_turn" });
    await connected.close();
    expect(told).toEqual([]);
  });

  test("answers -32603 for a handler whose result breaks the protocol, and lives on", async () => {
    const wrong: { sessionId: string } = Object.assign({ sessionId: "s" }, { model: "m" });
    const agent = createAgent({
      info,
      validate: strictValidator,
      handlers: {
        "session/new": () => wrong,
        "session/prompt": () => ({ stopReason: "end_turn" }),
      },
    });
    const [ours, theirs] = createMemoryTransportPair();
    agent.connect(theirs);
    const connected = await createClient({ info }).connect(ours);
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(connected.newSession({ cwd: "/project" })).rejects.toMatchObject({ wire: { code: -32603 } });
    }
    await connected.close();
  });

  test("speaks the unstable part of the protocol by its own validator", async () => {
    const params = { ...newSession, systemPrompt: { content: "Be brief", mode: "append" } };
    const stable = createStrictSide(strictValidator, "client");
    expect(() => stable.send({ id: 1, method: "session/new", params })).toThrow("/systemPrompt");
    const unstable = createStrictSide(unstableValidator, "client");
    expect(() => unstable.send({ id: 2, method: "session/fork", params: { sessionId: "s", cwd: "x" } })).toThrow(
      "/cwd",
    );
    const agent = createUnstableAgent({
      info,
      validate: unstableValidator,
      handlers: {
        "session/prompt": () => ({ stopReason: "end_turn" }),
        "session/archive": () => {},
        "session/unarchive": () => {},
      },
    });
    const [ours, theirs] = createMemoryTransportPair();
    agent.connect(theirs);
    const answers: unknown[] = [];
    ours.start({ message: (message) => answers.push(JSON.parse(message)), issue: () => {}, closed: () => {} });
    const call = (id: number, method: string, of: object) =>
      void ours.send(JSON.stringify({ jsonrpc: "2.0", id, method, params: of }), "soon");
    call(1, "initialize", { protocolVersion: 1, clientCapabilities: { plan: {} } });
    call(2, "session/archive", { sessionId: "s", color: "red" });
    await expect.poll(() => answers).toHaveLength(2);
    expect(answers).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ id: 2, error: expect.objectContaining({ code: -32602 }) })]),
    );
    await ours.close();
  });
});
