import type { Diagnostic } from "../../diagnostics.ts";
import { createRawPeer, type RawPeer } from "../../testing/raw-peer.ts";
import { createAgent } from "../agent.ts";
import type { AgentHandlers } from "../agent-handlers.ts";

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
  const { result } = await peer.call("session/new", { cwd: "/project" });
  const { sessionId } = result as { sessionId: string };
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

/** `answer`, `error -32800`, `running`, `idle end_turn`, `user_message: Hello`, `tool_call_update completed` … */
function inShort({ method, params, error }: Message): string {
  if (method === undefined) return error === undefined ? "answer" : `error ${(error as { code: number }).code}`;
  if (method !== "session/update") return String(method);
  const { update } = params as { update: Record<string, unknown> };
  const { sessionUpdate, state, stopReason, status } = update;
  if (sessionUpdate === "state_update") return [state, stopReason].filter((word) => word != null).join(" ");
  const content = [update["content"]].flat() as ({ text?: string; content?: { text?: string } } | undefined)[];
  const text = content.map((block) => block?.text ?? block?.content?.text ?? "").join("");
  return `${String(sessionUpdate)}${status == null ? "" : ` ${String(status)}`}${text === "" ? "" : `: ${text}`}`;
}
