// Whoever sends what the protocol does not allow is told so, and nothing of it is on the wire.
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { UsageError } from "../../src/base/errors.ts";
import { createMemoryTransportPair } from "../../src/transport/memory-transport.ts";
import * as stable1 from "../../src/v1/index.ts";
import * as unstable1 from "../../src/v1/unstable/entry.ts";
import * as stable2 from "../../src/v2/index.ts";

const info = { name: "test", version: "1.0.0" };

type Handler = (params: unknown, context: Context) => unknown;
type Handlers = Readonly<Record<string, Handler>>;

/** What handlers call, without its types: as JavaScript does. */
interface Context {
  readonly turn: Record<
    "message" | "thought" | "plan" | "toolCall" | "update",
    (...given: unknown[]) => Promise<never>
  >;
  readonly session: { update(update: unknown): Promise<void> };
  readonly client: { request(method: string, params?: unknown): Promise<unknown> };
}

/** What a handler does with a call that it has reported. */
interface ReportedCall {
  update(change: object): Promise<void>;
  requestPermission(): Promise<unknown>;
}

interface Version {
  createAgent(options: never): { connect(transport: never, options?: never): unknown };
  createClient(options: never): { connect(transport: never): Promise<unknown> };
}

/** A connected client, without its types. */
interface Agent {
  newSession(options: unknown): Promise<{
    readonly id: string;
    prompt(prompt: unknown): { readonly response: Promise<unknown>; cancel(): Promise<void> };
  }>;
  request(method: string, params?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

const versions: readonly (readonly [name: string, version: Version])[] = [
  ["version 1", stable1],
  ["version 1, unstable", unstable1],
  ["version 2", stable2],
];

async function connect({ createAgent, createClient }: Version, agentHandlers: Handlers, clientHandlers: Handlers = {}) {
  const told: { readonly agent: string[]; readonly client: string[] } = { agent: [], client: [] };
  const sent: { readonly agent: string[]; readonly client: string[] } = { agent: [], client: [] };
  const transports = createMemoryTransportPair();
  (["agent", "client"] as const).forEach((side, index) => {
    const transport = transports[index]!;
    const send = transport.send.bind(transport);
    transport.send = (text, ...rest) => {
      sent[side].push(text);
      return send(text, ...rest);
    };
  });
  const listener = (side: "agent" | "client") => (diagnostic: Diagnostic) => {
    told[side].push(`${diagnostic.message} ${"error" in diagnostic ? String(diagnostic.error) : ""}`);
  };
  const handlers = { "session/prompt": () => ({ stopReason: "end_turn" }), ...agentHandlers };
  createAgent({ info, onDiagnostic: listener("agent"), handlers } as never).connect(transports[0] as never);
  const options = { info, onDiagnostic: listener("client"), handlers: clientHandlers };
  const agent = (await createClient(options as never).connect(transports[1] as never)) as Agent;
  return { agent, told, sent };
}

/** Lets a prompt handler do `act`. Returns what that is told, and the calls that the agent made. */
async function inTurn(version: Version, act: (context: Context) => unknown, client?: Handlers) {
  let thrown: unknown;
  const prompt: Handler = async (_params, context) => {
    try {
      await act(context);
    } catch (error) {
      thrown = error;
    }
    return { stopReason: "end_turn" };
  };
  const { agent, sent } = await connect(version, { "session/prompt": prompt }, client);
  const session = await agent.newSession({ cwd: "/" });
  const before = sent.agent.length;
  await session.prompt("hi").response;
  await agent.close();
  const calls = sent.agent.slice(before).map((text) => JSON.parse(text) as { method?: string; params?: unknown });
  const isOurs = (text: string): boolean => !/"user_message"|"state_update"/.test(text);
  return { thrown, calls: calls.filter((call) => call.method !== undefined && isOurs(JSON.stringify(call))) };
}

const cycle: Record<string, unknown> = {};
cycle["self"] = cycle;

describe.each(versions)("an agent of %s", (name, version) => {
  const isFirst = name !== "version 2";

  it.each([
    [
      ({ turn }: Context) => turn.plan(["a", "b"]),
      /entries\/0: expected an object with content, priority, status, got "a"/,
    ],
    [
      ({ turn }: Context) => turn.plan([{ content: "a", priority: "urgent", status: "pending" }]),
      /"high", "medium", "low"/,
    ],
    [({ turn }: Context) => turn.plan(5), /expected/],
    [({ turn }: Context) => turn.plan(undefined), /expected/],
    [
      ({ turn }: Context) => turn.toolCall({ title: "T", status: "done" }),
      /\/update\/status: expected one of "pending", .*, got "done"/,
    ],
    [({ turn }: Context) => turn.toolCall(undefined), /expected/],
    [({ turn }: Context) => turn.message(undefined), /content.*expected an object, got undefined/],
    [({ turn }: Context) => turn.message(5), /content.*expected an object, got 5/],
    [({ turn }: Context) => turn.thought({ type: "text" }), /content\/text: .*/],
    [({ turn }: Context) => turn.message({ type: "text", text: 1n }), /content\/text: expected a string, got bigint/],
    [
      ({ turn }: Context) => turn.message({ type: "text", text: cycle }),
      /content\/text: expected a string, got object/,
    ],
    [({ turn }: Context) => turn.thought({ type: "texts", text: "a" }), /content\/type: .*/],
    [
      ({ turn }: Context) => turn.update({ sessionUpdate: "agent_massage_chunk" }),
      /sessionUpdate: expected one of .*agent_message_chunk/,
    ],
    [({ turn }: Context) => turn.update("working"), /update: expected an object, got "working"/],
    [
      ({ session }: Context) => session.update({ sessionUpdate: "usage_update", used: "1", size: 2 }),
      /used: expected a number, got "1"/,
    ],
    [
      ({ client }: Context) =>
        client.request("session/request_permission", { toolCall: { toolCallId: "c" }, options: ["Allow"] }),
      /expected/,
    ],
  ])("tells the handler of %s", async (act, reason) => {
    const { thrown, calls } = await inTurn(version, act);
    expect(thrown).toBeInstanceOf(UsageError);
    expect(String(thrown)).toMatch(reason);
    expect(calls).toEqual([]);
  });

  it("sends members of extensions where the protocol is open, and `_meta`", async () => {
    const own = { sessionUpdate: "_acme/progress", done: 5 };
    const { thrown, calls } = await inTurn(version, async ({ turn }) => {
      await turn.update(own);
      await turn.message({ type: "text", text: "a", extra: 1, _meta: { b: 2 } });
      await turn.toolCall({ toolCallId: "c", title: "T", extra: [], _meta: {} });
    });
    expect([thrown, calls.length]).toEqual([undefined, 3]);
    expect(calls[0]?.params).toMatchObject({ update: own });
  });

  it.runIf(isFirst)("tells the call of a wrong change", async () => {
    const { thrown, calls } = await inTurn(version, async ({ turn }) => {
      const call = (await turn.toolCall({ title: "T", kind: "read" })) as { update(change: object): Promise<void> };
      await call.update({ kind: "writing" });
    });
    expect(String(thrown)).toMatch(/\/update\/kind: expected one of "read", .*, got "writing"/);
    expect(calls).toHaveLength(1);
  });

  it("repeats no refused change of a call in a question about it", async () => {
    const { calls } = await inTurn(version, async ({ turn }) => {
      const call = (await turn.toolCall({ title: "T", kind: "read", content: "text" })) as ReportedCall;
      const refused = [
        call.update({ kind: "writing" }),
        call.update({ locations: [{}] }),
        call.update({ title: "New" }),
        call.update({ content: 5, locations: "/a" }),
      ].map((sent) => sent.then(() => "sent", String));
      const asked = call.requestPermission();
      expect((await Promise.all(refused)).map((outcome) => outcome === "sent")).toEqual([false, false, true, false]);
      await asked;
    });
    expect(calls).toHaveLength(3);
    const question = JSON.stringify(calls[2]);
    expect(question).toContain("session/request_permission");
    expect(question).toContain('"title":"New","kind":"read","content":');
    expect(question).not.toContain("locations");
  });

  it.each([
    ["session/close", "done", /The answer of session\/close: expected an object, got "done"/],
    ["session/list", { sessions: [{ sessionId: "s" }] }, /sessions\/0\/cwd: expected a string, got undefined/],
    ["session/list", undefined, /\/sessions: expected an array, got undefined/],
  ] as const)("learns what the handler of %s has to return instead of %j", async (method, result, reason) => {
    const { agent, told, sent } = await connect(version, { [method]: () => result });
    const { id } = await agent.newSession({ cwd: "/" });
    const params = method === "session/close" ? { sessionId: id } : {};
    await expect(agent.request(method, params)).rejects.toMatchObject({ wire: { code: -32603 } });
    expect(told.agent.join()).toMatch(reason);
    expect(sent.agent.at(-1)).toContain('"error"');
    await agent.close();
  });

  it("learns that a session has no id", async () => {
    const { agent, told } = await connect(version, { "session/new": () => ({ sessionId: 5 }) });
    await expect(agent.newSession({ cwd: "/" })).rejects.toMatchObject({ wire: { code: -32603 } });
    expect(told.agent.join()).toMatch(/The handler of session\/new returned no sessionId/);
    await agent.close();
  });
});

describe("a prompt handler of version 1", () => {
  it.each([
    [undefined, /\/stopReason: expected one of "end_turn", .*, got undefined/],
    [null, /\/stopReason: expected one of "end_turn"/],
    ["done", /expected an object with stopReason, got "done"/],
    [{ stopReason: "finished" }, /\/stopReason: expected one of "end_turn", .*, got "finished"/],
  ])("learns what to return instead of %j", async (result, reason) => {
    const { agent, told } = await connect(stable1, { "session/prompt": () => result });
    const session = await agent.newSession({ cwd: "/" });
    await expect(session.prompt("hi").response).rejects.toMatchObject({ wire: { code: -32603 } });
    expect(told.agent.join()).toContain("The answer of session/prompt: ");
    expect(told.agent.join()).toMatch(reason);
    await agent.close();
  });
});

describe("a client of version 1", () => {
  const asked = { toolCall: { toolCallId: "c" }, options: [{ optionId: "a", name: "A", kind: "allow_once" }] };

  it.each([
    ["session/request_permission", asked, undefined, /\/outcome: expected/],
    ["session/request_permission", asked, "allow_once", /expected \{ outcome, optionId \}, or/],
    ["session/request_permission", asked, { outcome: { outcome: "allowed" } }, /one of "cancelled", "selected"/],
    ["fs/read_text_file", { path: "/a" }, "text", /expected an object with content, got "text"/],
    ["terminal/create", { command: "ls" }, { id: "t" }, /\/terminalId: expected a string, got undefined/],
  ])("learns what its handler of %s has to return: %j, %j", async (method, params, result, reason) => {
    const clientHandlers: Record<string, Handler> = { [method]: () => result };
    if (method.startsWith("terminal/")) {
      for (const name of ["kill", "output", "release", "wait_for_exit"])
        clientHandlers[`terminal/${name}`] = () => ({});
    }
    let failed: unknown;
    const prompt: Handler = async (_params, { client }) => {
      failed = await client.request(method, params).catch((error: unknown) => error);
      return { stopReason: "end_turn" };
    };
    const { agent, told } = await connect(stable1, { "session/prompt": prompt }, clientHandlers);
    const session = await agent.newSession({ cwd: "/" });
    await session.prompt("hi").response;
    expect(failed).toMatchObject({ wire: { code: -32603 } });
    expect(told.client.join()).toMatch(reason);
    await agent.close();
  });

  it.each([
    [
      "session/new",
      { cwd: "/", mcpServers: [{ name: "m" }] },
      /mcpServers\/0\/command: expected a string, got undefined/,
    ],
    ["session/set_mode", { sessionId: "s", modeId: 5 }, /modeId: expected a string, got 5|set_mode/],
    ["session/prompt", { sessionId: "s", prompt: [{ type: "text" }] }, /prompt\/0\/text/],
  ])("learns that a %s is wrong before it is sent: %j", async (method, params, reason) => {
    const { agent, sent } = await connect(stable1, {});
    const before = sent.client.length;
    await expect(agent.request(method, params)).rejects.toThrow(reason);
    expect(sent.client.slice(before)).toEqual([]);
    await agent.close();
  });
});
