// An agent of version 1 and a client of version 2, both strict, with the bridge between them.
import { createAgent, createMemoryTransportPair, RequestError, type SessionConfigOption } from "@acp/core";
import { createClient, type SessionUpdate } from "@acp/core/v2";
import { strictValidator as strict1 } from "@acp/validators/v1/strict";
import { strictValidator as strict2 } from "@acp/validators/v2/strict";
import { describe, expect, test } from "vitest";
import { bridgeAgent, type BridgeOptions } from "./bridge-agent.ts";

const info = { name: "test", version: "1.0.0" };
type AgentOptions = Parameters<typeof createAgent>[0];
type Handlers = AgentOptions["handlers"];

const modes = {
  currentModeId: "ask",
  availableModes: [
    { id: "ask", name: "Ask" },
    { id: "code", name: "Code" },
  ],
};

async function connect(handlers: Handlers, more: Partial<AgentOptions> = {}, bridged: Partial<BridgeOptions> = {}) {
  const diagnostics: string[] = [];
  // The request has the members of both versions, as that of `clientOfVersions` has.
  const onDiagnostic = ({ message }: { message: string }): void => {
    if (!message.startsWith("A message of initialize breaks the protocol")) diagnostics.push(message);
  };
  const agent = createAgent({ info, handlers, validate: strict1, onDiagnostic, ...more });
  const bridge = bridgeAgent({
    connect: () => {
      const [own, theirs] = createMemoryTransportPair();
      agent.connect(theirs);
      return own;
    },
    onDiagnostic,
    ...bridged,
  });
  const questions: unknown[] = [];
  const client = createClient({
    info,
    validate: strict2,
    onDiagnostic,
    capabilities: { elicitation: { form: {} } },
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
  const connection = bridge.connect(far);
  const connected = await client.connect(near);
  return { agent: connected, questions, diagnostics, connection };
}

type Connected = Awaited<ReturnType<typeof connect>>;

async function run({ agent }: Connected, prompt = "Hello") {
  const session = await agent.newSession({ cwd: "/project" });
  const turn = session.prompt(prompt);
  const updates: SessionUpdate[] = [];
  for await (const update of turn.updates) updates.push(update as SessionUpdate);
  return { session, updates, end: await turn.finished };
}

const kindsOf = (updates: readonly SessionUpdate[]): string[] =>
  updates.map((update) => (update.sessionUpdate === "state_update" ? update.state : update.sessionUpdate));

describe("a turn of an agent of version 1", () => {
  test("is accepted, reports its states and updates, and ends with its stop reason", async () => {
    const connected = await connect({
      "session/prompt": async (_params, { turn }) => {
        await turn.message("Hello ");
        await turn.message("you");
        await turn.plan([{ content: "a", priority: "high", status: "pending" }]);
        const call = await turn.toolCall({ title: "Edit" });
        await call.complete([{ type: "diff", path: "/project/a", oldText: "a\n", newText: "b\n" }]);
        return { stopReason: "max_tokens" };
      },
    });
    const { updates, end } = await run(connected);
    expect(end).toMatchObject({ stopReason: "max_tokens" });
    expect(kindsOf(updates)).toEqual([
      "user_message",
      "running",
      "agent_message_chunk",
      "agent_message_chunk",
      "plan_update",
      "tool_call_update",
      "tool_call_update",
      "idle",
    ]);
    const [first, second] = updates.filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk");
    expect(first).toMatchObject({ messageId: expect.any(String) });
    expect((second as { messageId: string }).messageId).toBe((first as { messageId: string }).messageId);
    expect(connected.diagnostics).toEqual([]);
  });

  test("asks the user, who is required to act meanwhile", async () => {
    const connected = await connect({
      "session/prompt": async ({ sessionId }, { turn, client }) => {
        const call = await turn.toolCall({ title: "Write a.txt" });
        const outcome = await call.requestPermission([{ optionId: "y", name: "Yes", kind: "allow_once" }]);
        const answer = await client.request("elicitation/create", {
          sessionId,
          mode: "form",
          message: "Who?",
          requestedSchema: { type: "object", properties: { name: { type: "string" } } },
        });
        await turn.message(JSON.stringify([outcome, answer]));
        return { stopReason: "end_turn" };
      },
    });
    const { updates } = await run(connected);
    expect(connected.diagnostics).toEqual([]);
    expect(kindsOf(updates)).toEqual([
      "user_message",
      "running",
      "tool_call_update",
      "requires_action",
      "running",
      "requires_action",
      "running",
      "agent_message_chunk",
      "idle",
    ]);
    expect(updates.at(-2)).toMatchObject({
      content: {
        text: '[{"outcome":"selected","optionId":"y"},{"action":"accept","content":{"name":"Ada"}}]',
      },
    });
    expect(connected.questions).toMatchObject([
      { title: "Write a.txt", subject: { type: "tool_call", toolCall: { toolCallId: expect.any(String) } } },
      { mode: "form", message: "Who?" },
    ]);
    expect(connected.diagnostics).toEqual([]);
  });

  test("that fails before it does anything is refused; later, it ends with the error", async () => {
    let count = 0;
    const { agent } = await connect({
      "session/prompt": async (_params, { turn }) => {
        if (count++ > 0) await turn.message("Wait");
        throw new RequestError({ code: -32_000, message: "Log in first" });
      },
    });
    const session = await agent.newSession({ cwd: "/project" });
    const refused = session.prompt("a");
    await expect(refused.accepted).rejects.toMatchObject({ wire: { code: -32_000 } });
    await refused.finished.catch(() => {});
    expect(await session.prompt("b").finished).toMatchObject({
      stopReason: "error",
      error: { code: -32_000, message: "Log in first" },
    });
  });

  test("that is cancelled ends so, with those that wait", async () => {
    const { agent } = await connect({
      "session/prompt": async (_params, { turn }) => {
        await turn.message("Working");
        await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
        return { stopReason: "end_turn" };
      },
    });
    const session = await agent.newSession({ cwd: "/project" });
    const first = session.prompt("a");
    await first.accepted;
    const second = session.prompt("b");
    first.cancel();
    expect(await first.finished).toMatchObject({ stopReason: "cancelled" });
    expect(await second.finished).toMatchObject({ stopReason: "cancelled" });
  });

  test("waits for the one before it", async () => {
    const order: string[] = [];
    const { agent, diagnostics } = await connect({
      "session/prompt": async ({ prompt }, { turn }) => {
        const [block] = prompt;
        const text = block?.type === "text" ? block.text : "";
        order.push(`begin ${text}`);
        await turn.message("…");
        order.push(`end ${text}`);
        return { stopReason: "end_turn" };
      },
    });
    const session = await agent.newSession({ cwd: "/project" });
    await Promise.all(["a", "b", "c"].map((text) => session.prompt(text).finished));
    expect(order).toEqual(["begin a", "end a", "begin b", "end b", "begin c", "end c"]);
    expect(diagnostics).toEqual([]);
  });
});

describe("settings of an agent of version 1", () => {
  test("are options of version 2, with the mode among them", async () => {
    const option: SessionConfigOption = {
      type: "select",
      id: "effort",
      name: "Effort",
      currentValue: "low",
      options: [
        { value: "low", name: "Low" },
        { value: "high", name: "High" },
      ],
    };
    const set: unknown[] = [];
    const { agent, diagnostics } = await connect({
      "session/new": () => ({ sessionId: "s", modes, configOptions: [option] }),
      "session/set_mode": ({ modeId }, { session }) => {
        set.push(modeId);
        return session.update({ sessionUpdate: "current_mode_update", currentModeId: modeId });
      },
      "session/set_config_option": ({ configId, value }) => {
        set.push([configId, value]);
        return { configOptions: [{ ...option, currentValue: String(value) }] };
      },
      "session/prompt": () => ({ stopReason: "end_turn" }),
    });
    const session = await agent.newSession({ cwd: "/project" });
    expect(session.configOptions).toMatchObject([
      { configId: "mode", category: "mode", currentValue: "ask" },
      { configId: "effort", currentValue: "low" },
    ]);
    expect(await session.setConfigOption("mode", "code")).toMatchObject([
      { configId: "mode", currentValue: "code" },
      { configId: "effort", currentValue: "low" },
    ]);
    expect(await session.setConfigOption("effort", "high")).toMatchObject([
      { configId: "mode", currentValue: "code" },
      { configId: "effort", currentValue: "high" },
    ]);
    expect(set).toEqual(["code", ["effort", "high"]]);
    expect(diagnostics).toEqual([]);
  });
});

describe("sessions of an agent of version 1", () => {
  test("are opened again with or without their history", async () => {
    const calls: string[] = [];
    const handlers: Handlers = {
      "session/prompt": () => ({ stopReason: "end_turn" }),
      "session/load": async (_params, { session }) => {
        calls.push("load");
        const content = { type: "text", text: "Earlier" } as const;
        await session.update({ sessionUpdate: "user_message_chunk", content });
        await session.update({ sessionUpdate: "agent_message_chunk", content });
        await session.update({ sessionUpdate: "session_info_update", title: "T" });
      },
    };
    const { agent, diagnostics } = await connect(handlers);
    const open = async (replayFrom?: { type: "start" }): Promise<readonly string[]> => {
      const session = await agent.resumeSession({ sessionId: "s", cwd: "/project", replayFrom });
      const seen: string[] = [];
      session.observe((event) => {
        if (event.type === "update") seen.push(...kindsOf([event.update as SessionUpdate]));
      });
      return seen;
    };
    expect(await open({ type: "start" })).toEqual([
      "user_message_chunk",
      "agent_message_chunk",
      "session_info_update",
      "idle",
    ]);
    expect(await open()).toEqual(["session_info_update", "idle"]);
    expect(calls).toEqual(["load", "load"]);
    expect(diagnostics).toEqual([]);
  });

  test("are listed and closed, also by an agent that can do neither", async () => {
    const { agent } = await connect({
      "session/prompt": async (_params, { turn }) => {
        await turn.message("Working");
        await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
        return { stopReason: "end_turn" };
      },
    });
    expect(await agent.request("session/list", {})).toEqual({ sessions: [] });
    const session = await agent.newSession({ cwd: "/project" });
    const turn = session.prompt("a");
    await turn.accepted;
    await session.close();
    expect(await turn.finished).toMatchObject({ stopReason: "cancelled" });
    await expect(agent.resumeSession({ sessionId: "x", cwd: "/project" })).rejects.toMatchObject({
      wire: { code: -32_002, data: { sessionId: "x" } },
    });
  });
});

describe("files and terminals of an agent of version 1", () => {
  test("are served by the bridge, and its terminals are shown", async () => {
    const context: unknown[] = [];
    const connected = await connect(
      {
        "session/prompt": async (_params, { turn, client }) => {
          const { content } = await client.request("fs/read_text_file", { path: "/project/a.txt" });
          const { terminalId } = await client.request("terminal/create", { command: "ls", args: ["-l"] });
          await client.request("terminal/wait_for_exit", { terminalId });
          await turn.message(`${content} ${terminalId}`);
          return { stopReason: "end_turn" };
        },
      },
      {},
      {
        fileSystem: () => ({
          "fs/read_text_file": async (params, { session }) => {
            context.push([params.path, session.id, session.cwd]);
            return { content: "text" };
          },
          "fs/write_text_file": async () => ({}),
        }),
        terminals: ({ onCreate }) => {
          return {
            "terminal/create": async ({ sessionId, command, args }) => {
              onCreate?.({
                pid: 1,
                exit: undefined,
                output: () => ({ output: "", truncated: false }),
                kill: async () => {},
                id: "t1",
                sessionId,
                command,
                args: args ?? [],
                cwd: "/project",
                exited: new Promise((resolve) => setTimeout(resolve, 1, { exitCode: 3, signal: null })),
                onOutput: (listener) => {
                  listener(new TextEncoder().encode("hi"));
                  return () => {};
                },
              });
              return { terminalId: "t1" };
            },
            "terminal/output": () => ({ output: "", truncated: false }),
            "terminal/wait_for_exit": () =>
              new Promise((resolve) => setTimeout(resolve, 20, { exitCode: 3, signal: null })),
            "terminal/kill": async () => ({}),
            "terminal/release": async () => ({}),
          };
        },
      },
    );
    const { updates, session } = await run(connected);
    expect(context).toEqual([["/project/a.txt", session.id, "/project"]]);
    expect(updates.slice(2, -1)).toEqual([
      { sessionUpdate: "terminal_update", terminalId: "t1", command: "ls -l", cwd: "/project" },
      { sessionUpdate: "terminal_output_chunk", terminalId: "t1", data: "aGk=" },
      { sessionUpdate: "terminal_update", terminalId: "t1", exitStatus: { exitCode: 3, signal: null } },
      expect.objectContaining({ content: { type: "text", text: "text t1" } }),
    ]);
    expect(connected.diagnostics).toEqual([]);
  });
});

test("extensions, custom data and logins pass", async () => {
  const seen: unknown[] = [];
  const connected = await connect(
    {
      authenticate: (params) => void seen.push(params),
      logout: () => void seen.push("logout"),
      "session/new": (_params, { client }) => {
        seen.push(client.capabilities.elicitation);
        return { sessionId: "s", _meta: { made: true } };
      },
      "session/prompt": async ({ _meta }, { turn, client }) => {
        seen.push(_meta, await client.request("_acme/ask", { question: 1 }));
        await turn.update({ sessionUpdate: "session_info_update", title: "T", _meta: { a: [1] } });
        return { stopReason: "end_turn", _meta: { cost: 1 } };
      },
      "_acme/tell": () => "told",
    },
    {
      authMethods: [
        { id: "key", name: "Key" },
        { id: "term", name: "Terminal", type: "terminal" },
      ],
    },
  );
  const { agent } = connected;
  expect(agent).toMatchObject({
    protocolVersion: 2,
    info,
    authMethods: [{ type: "agent", methodId: "key", name: "Key" }],
  });
  await agent.request("auth/login", { methodId: "key" });
  await agent.request("auth/logout", {});
  expect(await agent.request("_acme/tell", {})).toBe("told");
  const session = await agent.newSession({ cwd: "/project" });
  expect(session.meta).toEqual({ made: true });
  const turn = session.prompt("a", { _meta: { traceparent: "x" } });
  const updates: SessionUpdate[] = [];
  for await (const update of turn.updates) updates.push(update as SessionUpdate);
  expect(updates.find(({ sessionUpdate }) => sessionUpdate === "session_info_update")).toMatchObject({
    _meta: { a: [1] },
  });
  expect(await turn.finished).toMatchObject({ stopReason: "end_turn", _meta: { cost: 1 } });
  expect(seen).toEqual([{ methodId: "key" }, "logout", { form: {} }, { traceparent: "x" }, 2]);
});
