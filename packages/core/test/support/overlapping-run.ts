import { type AgentTurnContext, createAgent, type Diagnostic } from "../../src/v1/index.ts";
import { createRawPeer, type RawPeer } from "./raw-peer.ts";

type Options = Parameters<typeof createAgent>[0];
type Overlapping = Options["overlappingPrompts"];

/** A turn whose handler has begun. */
export interface Begun {
  readonly name: string;
  readonly context: AgentTurnContext<unknown>;
  end(): void;
  fail(error: Error): void;
}

export interface Run {
  readonly peer: RawPeer;
  readonly diagnostics: readonly Diagnostic[];
  /** Those that have begun, in order. */
  readonly turns: readonly Begun[];
  /** Sends a prompt; the id of the request is its name. */
  prompt(name: string, prompt?: readonly object[]): void;
  cancel(): void;
  /** The answer to the prompt with this name. */
  answer(name: string): Promise<Record<string, unknown>>;
  /** What has come of prompts so far: `1: text` of an update, `1 = end_turn` of an answer. */
  log(): string[];
}

const initialize = { protocolVersion: 1, clientCapabilities: { elicitation: { form: {} } } };

/** An agent whose turns say their names, and end when they are told to, or when they abort. */
export async function start(overlappingPrompts: Overlapping, more: Partial<Options["handlers"]> = {}): Promise<Run> {
  const turns: Begun[] = [];
  const diagnostics: Diagnostic[] = [];
  const agent = createAgent({
    info: { name: "test", version: "1" },
    ...(overlappingPrompts && { overlappingPrompts }),
    sessionId: () => "s",
    handlers: {
      "session/prompt": async (_params, context) => {
        const name = String(context.requestId);
        await context.turn.message(`${name}: begins`);
        await new Promise<void>((resolve, reject) => {
          turns.push({ name, context, end: resolve, fail: reject });
          context.signal.addEventListener("abort", () => resolve());
          if (context.signal.aborted) resolve();
        });
        await context.turn.message(`${name}: ends`);
        return { stopReason: "end_turn" };
      },
      "session/close": () => {},
      ...more,
    },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  const peer = createRawPeer((transport) => agent.connect(transport));
  await peer.call("initialize", initialize);
  await peer.call("session/new", { cwd: "/", mcpServers: [] });
  return {
    peer,
    diagnostics,
    turns,
    prompt: (id, prompt = []) =>
      peer.send({ jsonrpc: "2.0", id, method: "session/prompt", params: { sessionId: "s", prompt } }),
    cancel: () => peer.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } }),
    answer: (name) => peer.next(({ id, method }) => id === name && method === undefined),
    log: () =>
      peer.received.flatMap(({ id, result, error, params }) => {
        const { update } = (params ?? {}) as { update?: { content: { text: string } } };
        if (update !== undefined) return update.content.text;
        if (typeof id !== "string") return [];
        const { stopReason } = (result ?? {}) as { stopReason?: string };
        return `${id} = ${stopReason ?? (error as { code?: number } | undefined)?.code}`;
      }),
  };
}
