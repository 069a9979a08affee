// An agent of version 2 and a client of version 1, both strict, with the bridge between them.
import { createClient, createMemoryTransportPair, type Received, RequestError } from "@acp/core";
import { createAgent, type SessionConfigOption } from "@acp/core/v2";
import { strictValidator as strict1 } from "@acp/validators/v1/strict";
import { strictValidator as strict2 } from "@acp/validators/v2/strict";
import { describe, expect, test } from "vitest";
import { bridgeAgent } from "./bridge-agent.ts";

const info = { name: "test", version: "1.0.0" };
type AgentOptions = Parameters<typeof createAgent>[0];
type Handlers = AgentOptions["handlers"];

async function connect(handlers: Handlers, more: Partial<AgentOptions> = {}) {
  const diagnostics: string[] = [];
  const onDiagnostic = ({ message }: { message: string }): void => {
    // An agent of version 2 alone refuses version 1 first.
    if (!/^A message of initialize (?:was read in part|breaks the protocol: .*only 2$)/u.test(message))
      diagnostics.push(message);
  };
  const agent = createAgent({ info, handlers, validate: strict2, onDiagnostic, ...more });
  const bridge = bridgeAgent({
    connect: () => {
      const [own, theirs] = createMemoryTransportPair();
      agent.connect(theirs);
      return own;
    },
    onDiagnostic,
  });
  const questions: unknown[] = [];
  const client = createClient({
    info,
    validate: strict1,
    onDiagnostic,
    capabilities: { elicitation: { form: {} }, session: { notices: {}, configOptions: { boolean: {} } } },
    handlers: {
      "session/update": () => {},
      "session/request_permission": (params) => {
        questions.push(params);
        return { outcome: { outcome: "selected", optionId: params.options[0]?.optionId ?? "" } };
      },
      "elicitation/create": (params) => {
        questions.push(params);
        return { action: "accept", content: { name: "Ada" } };
      },
      "_acme/ask": ({ question }: { question: number }) => question + 1,
    },
  });
  const [near, far] = createMemoryTransportPair();
  bridge.connect(far);
  const connected = await client.connect(near);
  return { agent: connected, questions, diagnostics };
}

type Connected = Awaited<ReturnType<typeof connect>>;

async function run({ agent }: Connected) {
  const session = await agent.newSession({ cwd: "/project" });
  const turn = session.prompt("Hello");
  const updates: Received.SessionUpdate[] = [];
  for await (const update of turn.updates) updates.push(update);
  return { session, updates, end: await turn.response };
}

const kindsOf = (updates: readonly Received.SessionUpdate[]): string[] => updates.map((one) => one.sessionUpdate);

describe("a turn of an agent of version 2", () => {
  test("answers the prompt at its end, without the prompt itself", async () => {
    const connected = await connect({
      "session/prompt": async (_params, { turn }) => {
        await turn.message("Hello ");
        await turn.message("you");
        await turn.plan([{ content: "a", priority: "high", status: "cancelled" }]);
        const call = await turn.toolCall({ title: "Edit", kind: "_dance" });
        await turn.update({
          sessionUpdate: "tool_call_content_chunk",
          toolCallId: call.id,
          content: { type: "content", content: { type: "text", text: "part" } },
        });
        await turn.update({ sessionUpdate: "tool_call_update", toolCallId: call.id, status: "cancelled" });
        return { stopReason: "max_tokens", _meta: { cost: 1 } };
      },
    });
    const { updates, end } = await run(connected);
    expect(end).toEqual({ stopReason: "max_tokens", _meta: { cost: 1 } });
    expect(kindsOf(updates)).toEqual([
      "agent_message_chunk",
      "agent_message_chunk",
      "plan",
      "tool_call",
      "tool_call_update",
      "tool_call_update",
    ]);
    expect(updates.slice(3)).toMatchObject([
      { title: "Edit", kind: "other", status: "in_progress" },
      { content: [{ type: "content", content: { text: "part" } }] },
      { status: "failed" },
    ]);
    expect(connected.diagnostics).toEqual([]);
  });

  test("shows its terminals as texts of their calls", async () => {
    const connected = await connect({
      "session/prompt": async (_params, { turn }) => {
        const terminal = await turn.terminal({ command: "npm test", cwd: "/project" });
        const terminalId = terminal.id;
        await turn.toolCall({ toolCallId: "c", title: "Test", content: [{ type: "terminal", terminalId }] });
        await turn.update({ sessionUpdate: "terminal_output_chunk", terminalId, data: btoa("passed") });
        await turn.update({ sessionUpdate: "terminal_update", terminalId, exitStatus: { exitCode: 0 } });
        return { stopReason: "end_turn" };
      },
    });
    const { updates } = await run(connected);
    expect(kindsOf(updates)).toEqual(["tool_call", "tool_call_update"]);
    expect(updates).toMatchObject([
      { content: [{ content: { text: "```\n$ npm test\n```" } }] },
      { content: [{ content: { text: "```\n$ npm test\npassed\n(exit code 0)\n```" } }] },
    ]);
    expect(connected.diagnostics).toEqual([]);
  });

  test("asks the user about a tool call, a command or nothing", async () => {
    const connected = await connect({
      "session/prompt": async ({ sessionId }, { turn, client }) => {
        const call = await turn.toolCall({ title: "Write a.txt" });
        const toolCall = { toolCallId: call.id };
        const outcomes = [
          await turn.requestPermission({
            title: "May I?",
            description: "Why",
            subject: { type: "tool_call", toolCall },
          }),
          await turn.requestPermission({ title: "Run?", subject: { type: "command", command: "ls", cwd: "/project" } }),
          await turn.requestPermission({ title: "Go on?" }),
        ];
        const answer = await client.request("elicitation/create", {
          sessionId,
          mode: "form",
          message: "Who?",
          requestedSchema: { type: "object", properties: { name: { type: "string", format: "_hostname" } } },
        });
        await turn.message(JSON.stringify([outcomes.map((one) => one.outcome), answer]));
        return { stopReason: "end_turn" };
      },
    });
    const { updates } = await run(connected);
    expect(updates.at(-1)).toMatchObject({
      content: {
        text: '[["selected","selected","selected"],{"action":"accept","content":{"name":"Ada"}}]',
      },
    });
    expect(connected.questions).toMatchObject([
      { toolCall: { title: "May I?", content: [{ content: { text: "Why" } }] } },
      { toolCall: { title: "Run?", kind: "execute", rawInput: { command: "ls", cwd: "/project" } } },
      { toolCall: { title: "Go on?", toolCallId: expect.any(String) } },
      { requestedSchema: { properties: { name: { type: "string" } } } },
    ]);
    expect(connected.diagnostics).toEqual([]);
  });

  test("that fails answers with its error", async () => {
    const { agent } = await connect({
      "session/prompt": async (_params, { turn }) => {
        await turn.message("Wait");
        throw new RequestError({ code: 4711, message: "No", data: { why: 1 } });
      },
    });
    const session = await agent.newSession({ cwd: "/project" });
    await expect(session.prompt("a").response).rejects.toMatchObject({
      wire: { code: 4711, message: "No", data: { why: 1 } },
    });
  });

  test("that is cancelled answers so, before and after it is accepted", async () => {
    const { agent } = await connect({
      "session/prompt": async (_params, { turn, signal }) => {
        if (_params.prompt.length === 1) await turn.message("Working");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { stopReason: "end_turn" };
      },
    });
    const session = await agent.newSession({ cwd: "/project" });
    const first = session.prompt("a");
    for await (const _ of first.updates) break;
    first.cancel();
    expect(await first.response).toMatchObject({ stopReason: "cancelled" });
    const second = session.prompt([
      { type: "text", text: "not" },
      { type: "text", text: "accepted" },
    ]);
    second.cancel();
    expect(await second.response).toMatchObject({ stopReason: "cancelled" });
  });
});

test("settings of an agent of version 2 are options and modes", async () => {
  let current = "ask";
  const options = (): SessionConfigOption[] => [
    {
      type: "select",
      configId: "behaviour",
      name: "Behaviour",
      category: "mode",
      currentValue: current,
      options: [
        { value: "ask", name: "Ask" },
        { value: "code", name: "Code" },
      ],
    },
    { type: "boolean", configId: "fast", name: "Fast", currentValue: current === "code" },
  ];
  const { agent, diagnostics } = await connect({
    "session/new": () => ({
      sessionId: "s",
      configOptions: options(),
      availableCommands: [{ type: "command", name: "review", description: "Reviews" }],
    }),
    "session/set_config_option": (params) => {
      if ("value" in params) current = params.value === true ? "code" : String(params.value);
      return { configOptions: options() };
    },
    "session/prompt": () => ({ stopReason: "end_turn" }),
  });
  const session = await agent.newSession({ cwd: "/project" });
  const commands = new Promise((resolve) =>
    session.observe((event) => {
      if (event.type === "update" && event.update.sessionUpdate === "available_commands_update") resolve(event.update);
    }),
  );
  expect(session.modes).toMatchObject({ currentModeId: "ask", availableModes: [{ id: "ask" }, { id: "code" }] });
  expect(session.configOptions).toMatchObject([{ id: "behaviour" }, { id: "fast", currentValue: false }]);
  expect(await commands).toMatchObject({ availableCommands: [{ name: "review", description: "Reviews" }] });
  await session.setMode("code");
  expect(current).toBe("code");
  expect(await session.setConfigOption("behaviour", "ask")).toMatchObject([{ currentValue: "ask" }, {}]);
  expect(await session.setConfigOption("fast", true)).toMatchObject([{}, { currentValue: true }]);
  expect(diagnostics).toEqual([]);
});

test("sessions of an agent of version 2 are loaded, resumed, listed, deleted and closed", async () => {
  const seen: unknown[] = [];
  const { agent, diagnostics } = await connect(
    {
      "session/prompt": async (_params, { turn }) => {
        await turn.message("Working");
        await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
        return { stopReason: "end_turn" };
      },
      "session/resume": async ({ replayFrom, mcpServers }, { session }) => {
        seen.push([replayFrom, mcpServers]);
        if (replayFrom == null) return;
        const content = [{ type: "text", text: "Earlier" }] as const;
        await session.update({ sessionUpdate: "user_message", messageId: "1", content: [...content] });
        await session.update({ sessionUpdate: "agent_message", messageId: "2", content: [...content] });
      },
      "session/list": () => ({ sessions: [{ sessionId: "s", cwd: "/project", title: "T" }] }),
      "session/delete": () => {},
    },
    { capabilities: { session: { mcp: { stdio: {} } } } },
  );
  const kinds: string[] = [];
  const loaded = await agent.loadSession({
    sessionId: "s",
    cwd: "/project",
    mcpServers: [{ name: "m", command: "/bin/m", args: [], env: [] }],
  });
  loaded.observe((event) => void (event.type === "update" && kinds.push(event.update.sessionUpdate)));
  await agent.resumeSession({ sessionId: "s", cwd: "/project" });
  expect(kinds).toEqual(["user_message_chunk", "agent_message_chunk"]);
  expect(seen).toEqual([
    [{ type: "start" }, [{ type: "stdio", name: "m", command: "/bin/m", args: [], env: [] }]],
    [undefined, []],
  ]);
  expect(await agent.request("session/list", {})).toEqual({
    sessions: [{ sessionId: "s", cwd: "/project", title: "T" }],
  });
  await agent.request("session/delete", { sessionId: "s" });
  const session = await agent.newSession({ cwd: "/project" });
  const turn = session.prompt("a");
  for await (const _ of turn.updates) break;
  await session.close();
  expect(await turn.response).toMatchObject({ stopReason: "cancelled" });
  expect(diagnostics).toEqual([]);
});

test("extensions, custom data and logins pass", async () => {
  const seen: unknown[] = [];
  const { agent, diagnostics } = await connect(
    {
      "auth/login": (params) => void seen.push(params),
      "auth/logout": () => void seen.push("logout"),
      "session/prompt": async ({ _meta }, { turn, client }) => {
        seen.push(_meta, await client.request("_acme/ask", { question: 1 }));
        await turn.update({ sessionUpdate: "session_info_update", title: "T", _meta: { a: [1] } });
        return { stopReason: "end_turn" };
      },
      "_acme/tell": () => "told",
    },
    { authMethods: [{ type: "agent", methodId: "key", name: "Key" }] },
  );
  expect(agent).toMatchObject({ protocolVersion: 1, info, authMethods: [{ id: "key", name: "Key" }] });
  await agent.request("authenticate", { methodId: "key" });
  await agent.request("logout", {});
  expect(await agent.request("_acme/tell", {})).toBe("told");
  const session = await agent.newSession({ cwd: "/project" });
  const turn = session.prompt("a", { _meta: { traceparent: "x" } });
  const updates: Received.SessionUpdate[] = [];
  for await (const update of turn.updates) updates.push(update);
  expect(updates).toMatchObject([{ title: "T", _meta: { a: [1] } }]);
  expect(seen).toEqual([{ methodId: "key" }, "logout", { traceparent: "x" }, 2]);
  expect(diagnostics).toEqual([]);
});
