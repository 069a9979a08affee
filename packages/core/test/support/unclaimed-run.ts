// A client of version 1 or 2 whose agent, played by hand, works in sessions that the client has not opened.
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import type { ClientSession as SessionV1 } from "../../src/v1/client-session.ts";
import type { ClientSession as SessionV2 } from "../../src/v2/client-session.ts";
import { answer, connectRawAgent } from "./raw-agent.ts";
import { connectRawAgent as connectRawAgentV2 } from "./raw-agent-v2.ts";
import type { RawPeer } from "./raw-peer.ts";

export type Version = 1 | 2;
export type AnySession = SessionV1 | SessionV2;

const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];
const toolCall = { toolCallId: "t" };
const form = { mode: "form", message: "Which?", requestedSchema: { type: "object", properties: {} } };

/** What a client's user was asked. */
export interface Asked {
  readonly session: AnySession | undefined;
  readonly signal: AbortSignal;
  /** The user agrees. */
  agree(): void;
}

export interface Run {
  readonly peer: RawPeer;
  readonly agent: Agent;
  readonly diagnostics: readonly Diagnostic[];
  /** The updates that the handler got, each as its session and its text. */
  readonly seen: readonly string[];
  readonly sessions: readonly (AnySession | undefined)[];
  readonly asked: readonly Asked[];
  /** Sends an update with a text in a session. */
  say(sessionId: string, text: string): void;
  update(sessionId: string, update: object): void;
  /** Asks for permission in a session. */
  ask(sessionId: string): Promise<Record<string, unknown>>;
  elicit(sessionId: string): Promise<Record<string, unknown>>;
  /** Calls a method that opens a session; `answer` answers it. */
  open(method: string, params?: object): Promise<Opening>;
  /** How often a session of the agent's own was reported, by id. */
  reported(): string[];
}

interface Opening {
  readonly opened: Promise<AnySession>;
  answer(outcome: { result: unknown } | { error: unknown }): void;
}

/** The members of a connected agent that both versions have alike. */
interface Agent {
  claimSession(claim: { sessionId: string; cwd: string; additionalDirectories?: readonly string[] }): AnySession;
  session(sessionId: string): AnySession | undefined;
  request(method: never, params: never, options?: { readonly signal: AbortSignal }): Promise<unknown>;
  close(): Promise<void>;
}

/** Agrees to a permission request, and to a form. */
export const agreed = { result: { outcome: { outcome: "selected", optionId: "yes" } } };
export const accepted = { result: { action: "accept" } };
export const cancelled = { result: { outcome: { outcome: "cancelled" } } };
export const unknown = { error: { code: -32002 } };

export async function start(version: Version, handlers: object = {}, more: object = {}): Promise<Run> {
  const seen: string[] = [];
  const sessions: (AnySession | undefined)[] = [];
  const asked: Asked[] = [];
  const diagnostics: Diagnostic[] = [];
  const askUser =
    (reply: unknown) =>
    (_params: unknown, { session, signal }: { session: AnySession | undefined; signal: AbortSignal }) =>
      new Promise<unknown>((resolve) => {
        asked.push({ session, signal, agree: () => resolve(reply) });
      });
  const all = {
    capabilities: { elicitation: { form: {} } },
    onDiagnostic: (diagnostic: Diagnostic) => void diagnostics.push(diagnostic),
    handlers: {
      "session/update": (params: { sessionId: string; update: Told }, { session }: { session?: AnySession }) => {
        sessions.push(session);
        seen.push(`${params.sessionId}: ${params.update.content?.text ?? String(params.update.sessionUpdate)}`);
      },
      "session/request_permission": askUser(agreed.result),
      "elicitation/create": askUser(accepted.result),
      ...handlers,
    },
    ...more,
  };
  // Handlers that fit both versions have the type of neither.
  const connected =
    version === 1
      ? await connectRawAgent(all as Parameters<typeof connectRawAgent>[0])
      : await connectRawAgentV2(all as Parameters<typeof connectRawAgentV2>[0]);
  const { peer } = connected;
  const agent = connected.agent as unknown as Agent;
  const update = (sessionId: string, told: object): void =>
    peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update: told } });
  return {
    peer,
    agent,
    diagnostics,
    seen,
    sessions,
    asked,
    update,
    say: (sessionId, text) =>
      update(sessionId, {
        sessionUpdate: "agent_message_chunk",
        messageId: `m ${sessionId}`,
        content: { type: "text", text },
      }),
    ask: (sessionId) =>
      peer.call("session/request_permission", {
        sessionId,
        options,
        ...(version === 1 ? { toolCall } : { title: "May I?", subject: { type: "tool_call", toolCall } }),
      }),
    elicit: (sessionId) => peer.call("elicitation/create", { sessionId, ...form }),
    open: async (method, params = {}) => {
      const opened = agent
        .request(method as never, { cwd: "/project", mcpServers: [], ...params } as never)
        .then((result) => agent.session(idIn(result) ?? idIn(params) ?? "") as AnySession);
      opened.catch(() => {});
      const { id } = await peer.next((message) => message["method"] === method);
      return { opened, answer: (outcome) => peer.send({ jsonrpc: "2.0", id, ...outcome }) };
    },
    reported: () =>
      diagnostics.flatMap((diagnostic) => (diagnostic.type === "unclaimed-session" ? [diagnostic.sessionId] : [])),
  };
}

interface Told {
  readonly sessionUpdate: unknown;
  readonly content?: { readonly text?: string };
}

const idIn = (value: unknown): string | undefined =>
  (value as { readonly sessionId?: string } | null | undefined)?.sessionId;

export { answer };
