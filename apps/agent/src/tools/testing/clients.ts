import * as v1 from "@acp/core";
import { createSessionState, terminalText } from "@acp/core/state";
import * as v2 from "@acp/core/v2";
import { createSessionState as createSessionState2, terminalText as terminalText2 } from "@acp/core/v2/state";
import { fileSystem, type FileSystemOptions, terminals } from "@acp/node";
import type { AnyTurn } from "@acp/ai";
import { onTestFinished } from "vitest";

import type { LocalSession } from "../../workspace/local-session.ts";

/** What a client offers to an agent. */
export interface ClientKind {
  readonly name: string;
  readonly version: 1 | 2;
  readonly methods: readonly (
    | "fs/read_text_file"
    | "fs/write_text_file"
    | "terminal/create"
    | "terminal/output"
    | "terminal/wait_for_exit"
    | "terminal/kill"
    | "terminal/release"
  )[];
}

const terminalMethods = [
  "terminal/create",
  "terminal/output",
  "terminal/wait_for_exit",
  "terminal/kill",
  "terminal/release",
] as const;

export const clientKinds: readonly ClientKind[] = [
  {
    name: "a client with files and terminals",
    version: 1,
    methods: ["fs/read_text_file", "fs/write_text_file", ...terminalMethods],
  },
  { name: "a client that only reads files", version: 1, methods: ["fs/read_text_file"] },
  { name: "a client that only writes files", version: 1, methods: ["fs/write_text_file"] },
  { name: "a client with terminals alone", version: 1, methods: terminalMethods },
  { name: "a client with neither files nor terminals", version: 1, methods: [] },
  { name: "a client of version 2", version: 2, methods: [] },
];

/** A tool call as the user sees it. */
export interface ShownCall {
  readonly title?: string;
  readonly kind?: string;
  readonly status?: string;
  readonly locations?: readonly unknown[];
  readonly content?: readonly { readonly type: string; readonly [member: string]: unknown }[];
}

export interface ConnectOptions {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  readonly handle: (turn: AnyTurn, session: LocalSession) => Promise<{ stopReason: v1.StopReason }>;
  readonly answer: (call: ShownCall) => Promise<"allow_once" | "reject_once">;
  readonly files?: FileSystemOptions;
  /** Custom data in the capabilities of a client of version 1. */
  readonly meta?: Record<string, unknown>;
}

export interface Connected {
  /** Sends a prompt, and resolves with the stop reason. */
  prompt(signal?: AbortSignal): Promise<string>;
  /** The tool calls, in order. */
  calls(): readonly ShownCall[];
  /** What the terminals show, those of the client and those of the agent. */
  terminalOutputs(): readonly string[];
  /** The methods that the agent has called. */
  readonly called: readonly string[];
}

const info = { name: "test", version: "1.0.0" };

export function connect(kind: ClientKind, options: ConnectOptions): Promise<Connected> {
  return kind.version === 1 ? connect1(kind, options) : connect2(options);
}

async function connect1({ methods }: ClientKind, options: ConnectOptions): Promise<Connected> {
  const { cwd, additionalDirectories = [], handle, answer, meta } = options;
  const called: string[] = [];
  const outputs: (() => string)[] = [];
  const agent = v1.createAgent({
    info,
    capabilities: { sessionCapabilities: { additionalDirectories: {} } },
    handlers: { "session/prompt": (_, { turn, session }) => handle(turn, session) },
  });
  const offered = {
    ...fileSystem(options.files),
    ...terminals({ onCreate: (terminal) => outputs.push(() => terminal.output().output) }),
  };
  const handlers = methods.map((method) => {
    const handler = offered[method] as (...parameters: unknown[]) => unknown;
    const counted = (...parameters: unknown[]): unknown => {
      called.push(method);
      return handler(...parameters);
    };
    return [method, counted] as const;
  });
  const client = v1.createClient({
    info,
    ...(meta === undefined ? {} : { capabilities: { _meta: meta } }),
    handlers: {
      ...(Object.fromEntries(handlers) as v1.ClientHandlers),
      "session/request_permission": async ({ toolCall, options: choices }) => {
        const wanted = await answer(calls().find(({ toolCallId }) => toolCallId === toolCall.toolCallId) ?? {});
        const optionId = choices.find(({ kind }) => kind === wanted)?.optionId ?? "";
        return { outcome: { outcome: "selected", optionId } };
      },
    },
  });
  const [ours, theirs] = v1.createMemoryTransportPair();
  const serving = agent.connect(theirs);
  const connected = await client.connect(ours);
  onTestFinished(async () => {
    await connected.close();
    await serving.closed;
  });
  const session = await connected.newSession({ cwd, additionalDirectories: [...additionalDirectories] });
  const store = createSessionState(session);
  const calls = () => [...store.state.timeline].filter((item) => item.type === "tool_call").map(toCall);
  return {
    prompt: async (signal) => (await session.prompt("go", { signal }).response).stopReason,
    calls,
    terminalOutputs: () => [
      ...outputs.map((output) => output()),
      ...[...store.state.terminals].map(({ output }) => terminalText(output)),
    ],
    called,
  };
}

async function connect2({ cwd, additionalDirectories = [], handle, answer }: ConnectOptions): Promise<Connected> {
  const agent = v2.createAgent({
    info,
    capabilities: { session: { additionalDirectories: {} } },
    handlers: { "session/prompt": (_, { turn, session }) => handle(turn, session) },
  });
  const client = v2.createClient({
    info,
    handlers: {
      "session/request_permission": async ({ subject, options: choices }) => {
        const id = subject?.type === "tool_call" ? subject.toolCall.toolCallId : undefined;
        const wanted = await answer(calls().find(({ toolCallId }) => toolCallId === id) ?? {});
        const optionId = choices.find(({ kind }) => kind === wanted)?.optionId ?? "";
        return { outcome: { outcome: "selected", optionId } };
      },
    },
  });
  const [ours, theirs] = v1.createMemoryTransportPair();
  const serving = agent.connect(theirs);
  const connected = await client.connect(ours);
  onTestFinished(async () => {
    await connected.close();
    await serving.closed;
  });
  const session = await connected.newSession({ cwd, additionalDirectories: [...additionalDirectories] });
  const store = createSessionState2(session);
  const calls = () => [...store.state.timeline].filter((item) => item.type === "tool_call").map(toCall);
  return {
    prompt: async (signal) => (await session.prompt("go", { signal }).finished).stopReason ?? "",
    calls,
    terminalOutputs: () => [...store.state.terminals].map(({ output }) => terminalText2(output)),
    called: [],
  };
}

type KnownCall = ShownCall & { readonly toolCallId: string };

function toCall(item: { readonly toolCallId: string; readonly content?: Iterable<unknown> | null }): KnownCall {
  return { ...item, content: [...(item.content ?? [])] } as KnownCall;
}
