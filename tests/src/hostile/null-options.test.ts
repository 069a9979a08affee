// Programs without types pass on `null` for what is not set. In each option of each entry it counts as absent: the tables
// here do not compile when one is missing in them.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type ByteTransportOptions,
  type ClientOptions,
  type ConnectOptions,
  type Diagnostic,
  createAgent,
  createByteTransport,
  createClient,
  createMemoryTransportPair,
  createMessagePortTransport,
  createStreamTransport,
  type PromptOptions,
  type RequestOptions,
  type TextTransportOptions,
  type Transport,
  UsageError,
} from "@acp/core";
import { validateForm } from "@acp/core/elicitation";
import { withGoAgents, withGoClients } from "@acp/go-dialect";
import { createHttpServer, createHttpTransport, type HttpServerOptions, type HttpTransportOptions } from "@acp/http";
import { bridgeAgent, type BridgeOptions } from "@acp/hub/bridge";
import { createProxy, type ProxyOptions } from "@acp/proxy";
import { type ChainProxyOptions, type ConductorOptions, createChainProxy, createConductor } from "@acp/proxy/chain";
import { createReplayTransport, type RecordedMessage, recordTraffic, type ReplayOptions } from "@acp/record";
import { listSessions, pageSessions } from "@acp/core/sessions";
import { createSessionState } from "@acp/core/state";
import { steer } from "@acp/core/steering";
import { readTrace, startTrace, withTrace } from "@acp/core/trace";
import {
  type AnswerOptions,
  fileSystem,
  type FileSystemOptions,
  permissionPolicy,
  type PermissionPolicyOptions,
  type PermissionRule,
  type ShutdownOptions,
  spawnAgent,
  type SpawnAgentOptions,
  terminals,
  type TerminalsOptions,
} from "@acp/node";
import type { AgentMethods, ClientMethods } from "@acp/schema/v1/types";
import { afterAll, describe, expect, test } from "vitest";

type Nulls<T> = { readonly [K in keyof T]-?: null };

/** Options that a program without types makes. */
const untyped = <T>(nulls: Nulls<T>): never => nulls as never;
const nothing = null as never;

const info = { name: "test", version: "1" };
const directory = realpathSync(mkdtempSync(join(tmpdir(), "acp-null-")));
afterAll(() => rmSync(directory, { recursive: true }));

const agent = createAgent({
  info,
  handlers: {
    "session/prompt": () => ({ stopReason: "end_turn" }),
    "session/list": (params) => pageSessions([{ sessionId: "a", cwd: "/" }], params, nothing),
  },
});

/** A transport to an agent in this process. */
function toAgent(definition = agent): Transport {
  const [ours, theirs] = createMemoryTransportPair();
  definition.connect(theirs, nothing);
  return ours;
}

/** Runs a prompt. */
async function prompted(transport: Transport, client = createClient({ info })): Promise<string> {
  const connected = await client.connect(transport);
  const session = await connected.newSession({ cwd: directory });
  const { stopReason } = await session.prompt("Go").response;
  await connected.close();
  return stopReason;
}

test("an agent, its client and the process between them take null for every option", async () => {
  const diagnostics: Diagnostic[] = [];
  const own = untyped<Omit<ClientOptions<AgentMethods, ClientMethods, object>, "info" | "handlers" | "onDiagnostic">>({
    capabilities: null,
    gate: null,
    authenticate: null,
    interceptors: null,
    maxIncomingRequests: null,
    maxIncomingSize: null,
    unreadUpdates: null,
    stall: null,
    validate: null,
  });
  const files = untyped<FileSystemOptions>({
    roots: null,
    readOnlyRoots: null,
    readOverlay: null,
    onWrite: null,
    maxFileBytes: null,
    policy: null,
  });
  const runs = untyped<TerminalsOptions>({
    env: null,
    outputByteLimit: null,
    maxOutputByteLimit: null,
    killGrace: null,
    shell: null,
    onCreate: null,
    policy: null,
  });
  const start = untyped<Omit<SpawnAgentOptions, "command" | "args">>({
    cwd: null,
    env: null,
    onExit: null,
    onStderr: null,
    shutdown: null,
    startTimeout: null,
    signal: null,
    onDiagnostic: null,
    _meta: null,
    framing: null,
    maxMessageBytes: null,
    onTraffic: null,
  });
  const client = createClient({
    ...(own as object),
    info,
    handlers: { ...fileSystem(files), ...terminals(runs), "session/update": nothing },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  const program = fileURLToPath(new URL("programs/null-options-agent.ts", import.meta.url));
  const connected = await spawnAgent(client, {
    ...(start as object),
    command: process.execPath,
    args: [program],
    shutdown: untyped<ShutdownOptions>({ eofGrace: null, termGrace: null, kill: null }),
  });
  const session = await connected.newSession({ cwd: directory }, untyped<RequestOptions>({ signal: null }));
  const turn = session.prompt(
    "Go",
    untyped<PromptOptions>({ signal: null, cancelGrace: null, stall: null, _meta: null }),
  );
  const texts: string[] = [];
  for await (const update of turn.updates)
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      texts.push(update.content.text);
  expect(await turn.response).toEqual({ stopReason: "end_turn" });
  expect(texts).toEqual(["noted in the session"]);
  expect(diagnostics).toEqual([]);
  await connected.close();
});

test("a permission policy and its rules take null for every option", async () => {
  const conditions = { kind: null, within: null, moreArguments: null, variables: null };
  const rule = {
    ...(untyped<Omit<PermissionRule, "then" | "command" | "line">>(conditions) as object),
    then: "allow",
    command: ["ls"],
    ...(untyped<Pick<PermissionRule, "line">>({ line: null }) as object),
  } as const;
  const options = untyped<Omit<PermissionPolicyOptions, "rules">>({ ask: null, otherwise: null, onDecision: null });
  const policy = permissionPolicy({ ...(options as object), rules: [rule] });
  const choices = ["allow_once", "reject_once"].map((kind) => ({ optionId: kind, name: kind, kind }));
  const answers = untyped<AnswerOptions>({ ask: null, known: null });
  const { signal } = new AbortController();
  for (const [command, optionId] of [
    ["ls", "allow_once"],
    ["rm", "reject_once"],
  ]) {
    const question = { sessionId: "a", toolCall: { kind: "execute", rawInput: { command } }, options: choices };
    for (const more of [nothing, answers])
      expect(await policy.answer(question, { signal }, more)).toEqual({ outcome: { outcome: "selected", optionId } });
  }
});

test("calls take null in place of options", async () => {
  const connected = await createClient({ info }).connect(toAgent(), nothing);
  const session = await connected.newSession({ cwd: "/" }, nothing);
  const store = createSessionState(session, nothing);
  expect(await session.prompt("Go", nothing).response).toEqual({ stopReason: "end_turn" });
  expect(await connected.request("session/list", {}, nothing)).toMatchObject({ sessions: [{ sessionId: "a" }] });
  await expect(steer(session, "More", nothing)).rejects.toMatchObject({ wire: { code: -32601 } });
  expect((await listSessions(connected, nothing).next()).value).toMatchObject({ sessionId: "a" });
  expect(store.state.turns).toHaveLength(1);
  await connected.close();
});

test("client.connect() takes null for every option", async () => {
  const options = untyped<ConnectOptions>({ startTimeout: null, signal: null, onDiagnostic: null, _meta: null });
  const connected = await createClient({ info, handlers: nothing }).connect(toAgent(), options);
  expect(connected.info).toEqual(info);
  await connected.close();
});

describe.each([
  ["null", nothing],
  [
    "options that are null",
    untyped<ByteTransportOptions & TextTransportOptions>({
      framing: null,
      maxMessageBytes: null,
      maxMessageDepth: null,
      maxMessageValues: null,
      onTraffic: null,
    }),
  ],
])("transports take %s", (_, options) => {
  test("over streams", async () => {
    const there = new TransformStream<Uint8Array, Uint8Array>();
    const back = new TransformStream<Uint8Array, Uint8Array>();
    agent.connect(createStreamTransport({ readable: there.readable, writable: back.writable }, options));
    const ours = createStreamTransport({ readable: back.readable, writable: there.writable }, options);
    expect(await prompted(ours)).toBe("end_turn");
  });

  test("over ports", async () => {
    const { port1, port2 } = new MessageChannel();
    agent.connect(createMessagePortTransport(port1, options));
    expect(await prompted(createMessagePortTransport(port2, options))).toBe("end_turn");
  });

  test("over a pipe of one's own", () => {
    const pipe = { start() {}, pause() {}, resume() {}, write() {}, close: () => Promise.resolve() };
    expect(createByteTransport(pipe, options).send("{}", "soon")).toBeUndefined();
  });
});

test("both sides of HTTP take null for every option", async () => {
  const options = untyped<Omit<HttpServerOptions, "agent">>({
    authorize: null,
    sameIdentity: null,
    allowedOrigins: null,
    onDiagnostic: null,
    maxConnections: null,
    maxMessageBytes: null,
    maxMessageDepth: null,
    maxMessageValues: null,
    bodyTimeout: null,
    maxTotalReceivedBytes: null,
    maxBufferedUnits: null,
    maxJournalUnits: null,
    resumeTimeout: null,
    maxTotalBufferedUnits: null,
    maxStreams: null,
    maxUnopenedStreams: null,
    idleTimeout: null,
    stallTimeout: null,
  });
  const server = createHttpServer({ ...(options as object), agent });
  const fetch = (url: string, init: RequestInit): Promise<Response> => server.handle(new Request(url, init), nothing);
  const given = untyped<Omit<HttpTransportOptions, "fetch">>({
    headers: null,
    cookies: null,
    resumeTimeout: null,
    maxMessageBytes: null,
    maxMessageDepth: null,
    maxMessageValues: null,
    onTraffic: null,
  });
  expect(await prompted(createHttpTransport("http://localhost/", { ...(given as object), fetch }))).toBe("end_turn");
  expect(() => createHttpTransport("http://localhost/", nothing)).not.toThrow();
  await server.close();
});

test("everything between both sides takes null for every option", async () => {
  const part = { connect: () => toAgent() };
  const proxy = untyped<Omit<ProxyOptions, "connect">>({
    maxIncomingRequests: null,
    maxIncomingSize: null,
    fromClient: null,
    fromAgent: null,
    onDiagnostic: null,
  });
  expect(await prompted(toAgent(createProxy({ ...(proxy as object), ...part })))).toBe("end_turn");
  const bridge = untyped<Pick<BridgeOptions, "fileSystem" | "terminals">>({ fileSystem: null, terminals: null });
  const bridged = bridgeAgent({ ...(proxy as object), ...(bridge as object), ...part });
  expect(await prompted(toAgent(bridged))).toBe("end_turn");

  const link = untyped<ChainProxyOptions<undefined>>({
    maxIncomingRequests: null,
    maxIncomingSize: null,
    state: null,
    fromClient: null,
    fromSuccessor: null,
    onDiagnostic: null,
  });
  const proxies = [link, nothing].map((options) => ({
    name: nothing,
    connect: () => toAgent(createChainProxy(options)),
  }));
  const rest = untyped<Omit<ConductorOptions, "proxies" | "agent">>({
    maxIncomingRequests: null,
    maxIncomingSize: null,
    startTimeout: null,
    onDiagnostic: null,
  });
  expect(await prompted(toAgent(createConductor({ ...(rest as object), proxies, agent: part })))).toBe("end_turn");
  expect(await prompted(toAgent(createConductor({ proxies: nothing, agent: part })))).toBe("end_turn");

  expect(await prompted(toAgent(withGoClients(agent, nothing)))).toBe("end_turn");
  expect(withGoAgents(createClient({ info }), nothing)).toHaveProperty("connect");
});

test("recordings, replays, traces and forms take null for every option", () => {
  const recorded: RecordedMessage[] = [];
  for (const options of [nothing, { redact: nothing }])
    recordTraffic((entry) => recorded.push(entry), options)("sent", '{"token":"secret"}');
  // The default, not `false`.
  expect(recorded.map(({ message }) => message)).toEqual([{ token: "[redacted]" }, { token: "[redacted]" }]);
  const opening = { time: "", direction: "sent", message: { method: "initialize" } } as const;
  const options = untyped<ReplayOptions>({ as: null, speed: null, patience: null });
  for (const given of [nothing, options]) expect(createReplayTransport([opening], given)).toHaveProperty("send");
  const trace = { ...startTrace(nothing), tracestate: nothing, baggage: nothing };
  expect(readTrace(withTrace(trace, null))).toMatchObject({ sampled: true });
  expect(validateForm({ type: "object", properties: { a: { type: "other" } as never } }, { a: 1 }, nothing)).toEqual(
    [],
  );
});

test.each([
  ["createAgent", createAgent, "An agent needs a handler for session/prompt"],
  ["createClient", createClient, "A client needs options: at least `info`, its name and version"],
  ["createProxy", createProxy, "A proxy needs the option `connect`: a function that opens the connection to the agent"],
  [
    "bridgeAgent",
    bridgeAgent,
    "A bridge needs the option `connect`: a function that opens the connection to the agent",
  ],
  ["createConductor", createConductor, "A conductor needs an agent, or proxies for a longer chain"],
])(
  "%s() names its required arguments, without options and with null",
  (_, make: (options: never) => unknown, message) => {
    for (const options of [undefined, null]) expect(() => make(options as never)).toThrow(new UsageError(message));
  },
);
