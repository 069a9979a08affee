import * as v1 from "@acp/core";
import { receiveSteering, steer, steeringMeta } from "@acp/core/steering";
import { createSessionState, joinText } from "@acp/core/state";
import * as v2 from "@acp/core/v2";
import { createSessionState as createSessionState2 } from "@acp/core/v2/state";
import { onTestFinished } from "vitest";
import type { AnyTurn } from "../../src/index.ts";

/** An answer to a question for permission: the kind of the option to choose. */
export type Answer = "allow_once" | "allow_always" | "reject_once" | "cancel";

export interface Prompted {
  readonly turn: AnyTurn;
  readonly prompt: readonly v1.Received.ContentBlock[];
}

export interface ConnectOptions {
  /** The prompt handler. */
  readonly handle: (prompted: Prompted) => Promise<{ stopReason: v1.StopReason }>;
  /** What the user answers. Default: the test fails. */
  readonly answer?: (title: string, options: readonly { readonly name: string }[]) => Answer | Promise<Answer>;
  /** Called with each update that the client gets, before the next one; the client does not read while it waits. */
  readonly onUpdate?: (update: { readonly sessionUpdate: string }) => void | Promise<void>;
  /** Whether a client of version 1 shows notices; all of version 2 do. Default: true. */
  readonly hasNotices?: boolean;
}

/** How a prompt has ended: the stop reason, or the error that the client got. */
export interface Ended {
  readonly stopReason: string;
  readonly error?: { readonly message: string; readonly data?: unknown };
}

/** An item of the timeline, in the words of both versions. */
export interface Shown {
  readonly type: string;
  readonly text?: string;
  readonly title?: string;
  readonly status?: string;
  readonly [member: string]: unknown;
}

export interface Connected {
  prompt(prompt: string | v1.ContentBlock[], signal?: AbortSignal): Promise<Ended>;
  steer(text: string): Promise<string>;
  /** Resolves when the agent has received a steering message. */
  readonly steeringArrived: Promise<void>;
  /** What the user sees, without the prompts. */
  timeline(): readonly Shown[];
  /** The parts of the timeline of one type. */
  shown(type: string): readonly Shown[];
  readonly usage: unknown;
  /** Everything that the client received, as text: for secrets that must not be in it. */
  received(): string;
  /** The diagnostics of both sides, as text. */
  diagnosed(): string;
}

export const versions = [1, 2] as const;

/** A client and an agent of a version of the protocol, with a connection between them, until the test ends. */
export function connect(version: 1 | 2, options: ConnectOptions): Promise<Connected> {
  return version === 1 ? connect1(options) : connect2(options);
}

const info = { name: "test", version: "1.0.0" };

/** The handler for steering messages, which tells that one has arrived. */
function expectSteering(): { readonly handler: typeof receiveSteering; readonly arrived: Promise<void> } {
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const handler: typeof receiveSteering = (params, context) => {
    const result = receiveSteering(params, context);
    arrive();
    return result;
  };
  return { handler, arrived };
}

async function connect1({ handle, answer, onUpdate, hasNotices = true }: ConnectOptions): Promise<Connected> {
  const received: unknown[] = [];
  const steering = expectSteering();
  const diagnostics: unknown[] = [];
  const onDiagnostic = (diagnostic: unknown): number => diagnostics.push(diagnostic);
  const agent = v1.createAgent({
    info,
    _meta: steeringMeta,
    onDiagnostic,
    capabilities: { promptCapabilities: { image: true, audio: true, embeddedContext: true } },
    handlers: {
      "_session/steering": steering.handler,
      "session/prompt": ({ prompt }, { turn }) => handle({ turn, prompt }),
    },
  });
  const client = v1.createClient({
    info,
    onDiagnostic,
    capabilities: hasNotices ? { session: { notices: {} } } : {},
    handlers: {
      "session/update": async ({ update }) => {
        received.push(update);
        await onUpdate?.(update);
      },
      "session/request_permission": async ({ toolCall, options }) => {
        const kind = (await answer?.(toolCall.title ?? "", options)) ?? fail(`Nobody answers: ${toolCall.title}`);
        const option = options.find((one) => one.kind === kind);
        if (option === undefined) return { outcome: { outcome: "cancelled" } };
        return { outcome: { outcome: "selected", optionId: option.optionId } };
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
  const session = await connected.newSession({ cwd: "/project" });
  const store = createSessionState(session);
  const timeline = (): Shown[] => [...store.state.timeline].map(toShown).filter(isNoPrompt);
  return {
    prompt: async (prompt, signal) => {
      try {
        return await session.prompt(prompt, { signal }).response;
      } catch (error) {
        received.push(error);
        if (error instanceof v1.RequestError) return { stopReason: "error", error: error.wire };
        throw error;
      }
    },
    steer: (text) => steer(session, text),
    steeringArrived: steering.arrived,
    timeline,
    shown: (type) => timeline().filter((item) => item.type === type),
    get usage() {
      return store.state.usage;
    },
    received: () => JSON.stringify(received),
    diagnosed: () => JSON.stringify(diagnostics),
  };
}

async function connect2({ handle, answer, onUpdate }: ConnectOptions): Promise<Connected> {
  const received: unknown[] = [];
  const steering = expectSteering();
  const diagnostics: unknown[] = [];
  const onDiagnostic = (diagnostic: unknown): number => diagnostics.push(diagnostic);
  const agent = v2.createAgent({
    info,
    _meta: steeringMeta,
    onDiagnostic,
    capabilities: { session: { prompt: { image: {}, audio: {}, embeddedContext: {} } } },
    handlers: {
      "_session/steering": steering.handler,
      "session/prompt": ({ prompt }, { turn }) => handle({ turn, prompt: prompt as Prompted["prompt"] }),
    },
  });
  const client = v2.createClient({
    info,
    onDiagnostic,
    handlers: {
      "session/update": async ({ update }) => {
        received.push(update);
        await onUpdate?.(update);
      },
      "session/request_permission": async ({ title, options }) => {
        const kind = (await answer?.(title, options)) ?? fail(`Nobody answers: ${title}`);
        const option = options.find((one) => one.kind === kind);
        if (option === undefined) return { outcome: { outcome: "cancelled" } };
        return { outcome: { outcome: "selected", optionId: option.optionId } };
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
  const session = await connected.newSession({ cwd: "/project" });
  const store = createSessionState2(session);
  const timeline = (): Shown[] => [...store.state.timeline].map(toShown).filter(isNoPrompt);
  return {
    prompt: async (prompt, signal) => {
      try {
        const { stopReason, ...state } = await session.prompt(prompt, { signal }).finished;
        const error = "error" in state && state.error != null ? { error: state.error } : {};
        return { stopReason: stopReason ?? "", ...error };
      } catch (error) {
        received.push(error);
        if (error instanceof v2.RequestError) return { stopReason: "error", error: error.wire };
        throw error;
      }
    },
    steer: (text) => steer(session, text),
    steeringArrived: steering.arrived,
    timeline,
    shown: (type) => timeline().filter((item) => item.type === type),
    get usage() {
      return store.state.usage;
    },
    received: () => JSON.stringify(received),
    diagnosed: () => JSON.stringify(diagnostics),
  };
}

function toShown(item: { readonly type: string }): Shown {
  const chunks = "chunks" in item ? (item.chunks as Parameters<typeof joinText>[0]) : undefined;
  const content = "content" in item && item.content != null ? [...(item.content as Iterable<unknown>)] : undefined;
  return {
    ...item,
    ...(chunks === undefined ? {} : { text: joinText(chunks), chunks: [...chunks] }),
    ...(content === undefined ? {} : { content }),
  };
}

function isNoPrompt({ type }: Shown): boolean {
  return type !== "user_message";
}

function fail(message: string): never {
  throw new Error(message);
}
