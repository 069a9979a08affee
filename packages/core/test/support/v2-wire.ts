import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { createRawPeer, type RawPeer } from "./raw-peer.ts";
import { createAgent } from "../../src/v2/agent.ts";
import type { AgentHandlers } from "../../src/v2/agent-handlers.ts";

type Message = Record<string, unknown>;

/** A client of an agent of version 2, written and read by hand. */
export interface WireClient {
  readonly peer: RawPeer;
  readonly diagnostics: readonly Diagnostic[];
  /** The session that it has opened. */
  readonly sessionId: string;
  /** Sends a prompt, and waits for its answer. */
  prompt(text: string): Promise<Message>;
  /** What has arrived since it was last asked, in short: see {@link inShort}. */
  news(): Promise<readonly string[]>;
  /** Answers the next question of the agent. */
  answer(method: string, result: object): Promise<void>;
}

export const info = { name: "test", version: "1.0.0" };

/** Connects to an agent, and opens a session. */
export async function connectWire(
  handlers: AgentHandlers & { "session/prompt": object },
  more: object = {},
): Promise<WireClient> {
  const diagnostics: Diagnostic[] = [];
  const agent = createAgent({
    info,
    handlers,
    sessionId: () => "s",
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...more,
  });
  const peer = createRawPeer((transport) => agent.connect(transport));
  await peer.call("initialize", { protocolVersion: 2, info, capabilities: { elicitation: { form: {} } } });
  const opened = await peer.call("session/new", { cwd: "/project" });
  const { sessionId } = opened["result"] as { sessionId: string };
  let seen = peer.received.length;
  return {
    peer,
    diagnostics,
    sessionId,
    prompt: (text) => peer.call("session/prompt", { sessionId, prompt: [{ type: "text", text }] }),
    async news() {
      await peer.settle();
      const fresh = peer.received.slice(seen);
      seen = peer.received.length;
      return fresh.map(inShort);
    },
    async answer(method, result) {
      const { id } = await peer.next((message) => message["method"] === method);
      peer.send({ jsonrpc: "2.0", id, result });
    },
  };
}

/** A message as far as it is looked at here. */
interface Told {
  readonly method?: string;
  readonly error?: { readonly code: number };
  readonly params?: { readonly update?: ToldUpdate };
}
interface ToldUpdate {
  readonly sessionUpdate: string;
  readonly state?: string;
  readonly stopReason?: string;
  readonly status?: string;
  readonly content?: unknown;
}

/** `answer`, `error -32800`, `running`, `idle end_turn`, `user_message: Hello`, `tool_call_update completed` … */
function inShort(message: Message): string {
  const { method, error, params }: Told = message;
  if (method === undefined) return error === undefined ? "answer" : `error ${error.code}`;
  const update = params?.update;
  if (update === undefined) return method;
  const { sessionUpdate, state, stopReason, status } = update;
  const words = sessionUpdate === "state_update" ? [state, stopReason] : [sessionUpdate, status];
  const text = [update.content].flat().map(textOf).join("");
  return words.filter((word) => word != null).join(" ") + (text && `: ${text}`);
}

/** The text of a content block, or of an item of a tool call. */
function textOf(block: unknown): string {
  const { text, content } = (block ?? {}) as { readonly text?: string; readonly content?: unknown };
  return text ?? (content === undefined ? "" : textOf(content));
}
