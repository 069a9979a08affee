import type { AgentDefinition } from "@acp/core";
import * as v1 from "@acp/core/unstable";
import { createSessionState, joinText } from "@acp/core/state";
import { steer } from "@acp/core/steering";
import { fileSystem, terminals } from "@acp/node";
import * as v2 from "@acp/core/v2/unstable";
import type { McpServer } from "@acp/schema/v1";
import type { McpServer as McpServer2 } from "@acp/schema/v2";
import { createSessionState as createSessionState2 } from "@acp/core/v2/state";
import { onTestFinished } from "vitest";

/** How the user answers a question for permission: the kind of the option to choose. */
export type Answer = "allow_once" | "allow_always" | "reject_once" | "reject_always";

export interface ClientOptions {
  readonly cwd: string;
  /** What the user answers. Default: the test fails. */
  readonly answer?: (question: string, options: readonly { readonly name: string }[]) => Answer | Promise<Answer>;
  /** Called with each update, before the next one is read. */
  readonly onUpdate?: (update: Update, sessionId: string) => void | Promise<void>;
  /** Capabilities of version 1. Default: notices. */
  readonly capabilities?: object;
  /** The MCP servers of its sessions, in the words of version 1. Default: none. */
  readonly mcpServers?: McpServer[];
  /** Whether the client has files and terminals, in version 1. Default: false. */
  readonly hasTerminals?: boolean;
}

export interface Update {
  readonly sessionUpdate: string;
  readonly [member: string]: unknown;
}

/** An item of what the user sees, in the words of both versions. */
export interface Shown {
  readonly type: string;
  readonly text?: string;
  readonly title?: string;
  readonly status?: string;
  readonly content?: readonly unknown[];
}

/** How a prompt has ended: the stop reason, or the error that the client got. */
export interface Ended {
  readonly stopReason: string;
  readonly error?: { readonly message: string };
}

/** A session of a client of either version. */
export interface TestSession {
  readonly id: string;
  prompt(prompt: string | v1.ContentBlock[], signal?: AbortSignal): Promise<Ended>;
  steer(text: string): Promise<string>;
  set(configId: string, value: string): Promise<void>;
  /** The config options by their ids: the current value and those to choose from. */
  options(): Record<string, { readonly current: unknown; readonly values: readonly string[] }>;
  /** What the user sees. */
  timeline(): readonly Shown[];
  shown(type: string): readonly Shown[];
  readonly usage: unknown;
  readonly title: unknown;
  commands(): readonly string[];
}

/** A connected client of either version. */
export interface TestClient {
  newSession(): Promise<TestSession>;
  /** Opens a session again; with `replay` the agent shows what was in it. */
  reopen(sessionId: string, options: { readonly replay: boolean }): Promise<TestSession>;
  fork(sessionId: string): Promise<TestSession>;
  list(): Promise<readonly { readonly sessionId: string; readonly title?: unknown }[]>;
  delete(sessionId: string): Promise<unknown>;
  readonly questions: readonly string[];
  /** Ends the connection, and with it the sessions. */
  close(): Promise<void>;
  /** Everything that the client received, as text. */
  received(): string;
}

export const versions = [1, 2] as const;

/** Connects a client of a version of the protocol to the agent, until the test ends. */
export function connect(version: 1 | 2, agent: AgentDefinition, options: ClientOptions): Promise<TestClient> {
  return version === 1 ? connect1(agent, options) : connect2(agent, options);
}

/** A server in the words of version 2, which names each type. */
function toServer2(server: McpServer): McpServer2 {
  return "type" in server ? (server as McpServer2) : { type: "stdio", ...server };
}

const info = { name: "test", version: "1.0.0" };

/** What the clients of both versions do with what they get. */
function createUser({ answer, onUpdate }: ClientOptions) {
  const received: unknown[] = [];
  const questions: string[] = [];
  return {
    received,
    questions,
    take: async (update: object, sessionId: string) => {
      received.push(update);
      await onUpdate?.(update as Update, sessionId);
    },
    choose: async (
      title: string,
      options: readonly { readonly optionId: string; readonly name: string; readonly kind?: unknown }[],
    ) => {
      questions.push(title);
      if (answer === undefined) throw new Error(`Nobody answers: ${title}`);
      const kind = await answer(title, options);
      const option = options.find((one) => one.kind === kind);
      if (option === undefined) throw new Error(`${title} has no option ${kind}`);
      return { outcome: { outcome: "selected" as const, optionId: option.optionId } };
    },
  };
}

async function connect1(agent: AgentDefinition, options: ClientOptions): Promise<TestClient> {
  const { cwd, mcpServers = [], capabilities = { session: { notices: {} } }, hasTerminals = false } = options;
  const user = createUser(options);
  const client = v1.createClient({
    info,
    capabilities,
    handlers: {
      ...(hasTerminals ? { ...fileSystem(), ...terminals() } : {}),
      "session/update": ({ update, sessionId }) => user.take(update, sessionId),
      "session/request_permission": ({ toolCall, options: offered }) => user.choose(toolCall.title ?? "", offered),
    },
  });
  const [ours, theirs] = v1.createMemoryTransportPair();
  const serving = agent.connect(theirs);
  const connected = await client.connect(ours);
  const close = async (): Promise<void> => {
    await connected.close();
    await serving.closed;
  };
  onTestFinished(close);
  function open(session: v1.ClientSession): TestSession {
    const store = createSessionState(session);
    const timeline = (): Shown[] => [...store.state.timeline].map(toShown);
    return {
      id: session.id,
      prompt: async (prompt, signal) => {
        try {
          return await session.prompt(prompt, { signal }).response;
        } catch (error) {
          user.received.push(error);
          if (error instanceof v1.RequestError) return { stopReason: "error", error: error.wire };
          throw error;
        }
      },
      steer: (text) => steer(session, text),
      set: async (configId, value) => void (await session.setConfigOption(configId, value)),
      options: () =>
        Object.fromEntries((store.state.configOptions ?? []).map((option) => [option.id, toOption(option)])),
      timeline,
      shown: (type) => timeline().filter((item) => item.type === type),
      get usage() {
        return store.state.usage;
      },
      get title() {
        return store.state.info.title;
      },
      commands: () => store.state.commands.map(({ name }) => name),
    };
  }
  return {
    newSession: async () => open(await connected.newSession({ cwd, mcpServers })),
    reopen: async (sessionId, { replay }) =>
      open(await (replay ? connected.loadSession({ sessionId, cwd }) : connected.resumeSession({ sessionId, cwd }))),
    fork: async (sessionId) => open(await connected.forkSession({ sessionId, cwd })),
    list: async () => (await connected.request("session/list", {})).sessions,
    delete: (sessionId) => connected.request("session/delete", { sessionId }),
    questions: user.questions,
    close,
    received: () => JSON.stringify(user.received),
  };
}

async function connect2(agent: AgentDefinition, options: ClientOptions): Promise<TestClient> {
  const { cwd, mcpServers = [] } = options;
  const user = createUser(options);
  const client = v2.createClient({
    info,
    handlers: {
      "session/update": ({ update, sessionId }) => user.take(update, sessionId),
      "session/request_permission": ({ title, options: offered }) => user.choose(title, offered),
    },
  });
  const [ours, theirs] = v1.createMemoryTransportPair();
  const serving = agent.connect(theirs);
  const connected = await client.connect(ours);
  const close = async (): Promise<void> => {
    await connected.close();
    await serving.closed;
  };
  onTestFinished(close);
  const open = (session: v2.ClientSession): TestSession => {
    const store = createSessionState2(session);
    const timeline = (): Shown[] => [...store.state.timeline].map(toShown);
    return {
      id: session.id,
      prompt: async (prompt, signal) => {
        try {
          const { stopReason, ...state } = await session.prompt(prompt, { signal }).finished;
          const error = "error" in state && state.error != null ? { error: state.error } : {};
          return { stopReason: stopReason ?? "", ...error };
        } catch (error) {
          user.received.push(error);
          if (error instanceof v2.RequestError) return { stopReason: "error", error: error.wire };
          throw error;
        }
      },
      steer: (text) => steer(session, text),
      set: async (configId, value) => void (await session.setConfigOption(configId, value)),
      options: () =>
        Object.fromEntries(
          (store.state.configOptions ?? []).flatMap((option) =>
            "configId" in option ? [[option.configId, toOption(option)]] : [],
          ),
        ),
      timeline,
      shown: (type) => timeline().filter((item) => item.type === type),
      get usage() {
        return store.state.usage;
      },
      get title() {
        return store.state.info.title;
      },
      commands: () => store.state.commands.flatMap((command) => ("name" in command ? [command.name] : [])),
    };
  };
  return {
    newSession: async () => open(await connected.newSession({ cwd, mcpServers: mcpServers.map(toServer2) })),
    reopen: async (sessionId, { replay }) =>
      open(
        await connected.resumeSession({
          sessionId,
          cwd,
          ...(replay ? { replayFrom: { type: "start" as const } } : {}),
        }),
      ),
    fork: async (sessionId) => open(await connected.forkSession({ sessionId, cwd })),
    list: async () => (await connected.request("session/list", {})).sessions,
    delete: (sessionId) => connected.request("session/delete", { sessionId }),
    questions: user.questions,
    close,
    received: () => JSON.stringify(user.received),
  };
}

function toOption(option: object): { current: unknown; values: string[] } {
  const current = "currentValue" in option ? option.currentValue : undefined;
  const offered = "options" in option && Array.isArray(option.options) ? (option.options as unknown[]) : [];
  return { current, values: offered.map((one) => String((one as { value: unknown }).value)) };
}

function toShown(item: { readonly type: string }): Shown {
  const chunks = "chunks" in item ? (item.chunks as Parameters<typeof joinText>[0]) : undefined;
  const content = "content" in item && item.content != null ? [...(item.content as Iterable<unknown>)] : undefined;
  return {
    ...item,
    ...(chunks === undefined ? {} : { text: joinText(chunks) }),
    ...(content === undefined ? {} : { content }),
  };
}
