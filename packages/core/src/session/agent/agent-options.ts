import type { Awaitable } from "../../rpc/methods.ts";
import type { IncomingLimits } from "../../rpc/incoming-limits.ts";
import type { MetaOptions } from "../../rpc/peer.ts";
import type { DiagnosticListener } from "../../base/diagnostics.ts";
import type { MessageValidator } from "../../transport/message-validator.ts";
import type { GateMode } from "../rules/call-rules.ts";

// What an agent says and hears, whatever the version of the protocol. Each version has typed views of the same names.

/** What the client said about itself in `initialize`. */
export interface ClientDetails {
  readonly capabilities: object;
  readonly info: object | undefined;
  readonly meta: { readonly [key: string]: unknown };
}

/** A way to log in. */
export interface AuthMethod {
  readonly type?: string;
}

/** An MCP server that a session is opened with. */
export interface McpServer {
  readonly type?: string;
}

/** An update of a session. */
export interface SessionUpdate {
  readonly sessionUpdate: string;
}

/** What a session is opened with. */
export interface SessionSetup {
  readonly method: string;
  readonly params: unknown;
  readonly sessionId: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  readonly mcpServers: readonly McpServer[];
  readonly signal: AbortSignal;
}

/** The type of a method, so that a function with narrower params is one, too: the decoders of a protocol vouch for them. */
type Listener<P extends readonly unknown[], R> = { call(...args: P): R }["call"];

/** What an agent is made from. */
export interface AgentOptions extends IncomingLimits {
  readonly info: object;
  readonly connected?: Listener<[client: object, signal: AbortSignal], Awaitable<void>> | undefined;
  readonly session?: Listener<[setup: object], unknown> | undefined;
  readonly sessionId?: (() => string) | undefined;
  readonly capabilities?: object | undefined;
  readonly authMethods?:
    | readonly AuthMethod[]
    | Listener<[capabilities: object], Awaitable<readonly AuthMethod[]>>
    | undefined;
  readonly handlers: object;
  readonly onUpdate?: Listener<[update: unknown, session: object], void> | undefined;
  readonly overlappingPrompts?: OverlappingPrompts | undefined;
  readonly resolvePath?: ((path: string) => string) | undefined;
  readonly _meta?: MetaOptions["_meta"];
  readonly gate?: GateMode | undefined;
  readonly validate?: MessageValidator | undefined;
  readonly onDiagnostic?: DiagnosticListener | undefined;
}

/**
 * What becomes of a prompt that comes while a turn runs in its session.
 *
 * - `refuse`: it is answered `-32600`.
 * - `queue`: it waits until those before it were answered.
 * - `replace`: it cancels the turn, as `session/cancel` would, and prompts that wait; it begins when the turn was answered.
 * - `alongside`: it begins at once, and the turns run side by side: for agents whose model hears a prompt while it is at
 *   work. The handler has to cope with running several times at once in a session. Each time it has a `turn`, a `signal`
 *   and a `client` of its own, and is answered when it returns, whatever the others do. What they send belongs to the same
 *   session: clients take it for a part of the oldest turn that has no answer, and may answer all questions `cancelled`
 *   while that is being cancelled.
 *
 * The turn that is replaced hears of it by its `signal`: a handler of `session/cancel` is called for that notification
 * alone.
 *
 * `session/cancel` cancels what runs and the prompts that wait, and so does what ends the session; `$/cancel_request`
 * takes back one of them. Those that run or wait count for `maxIncomingRequests`.
 */
export type OverlappingPrompts = "refuse" | "queue" | "replace" | "alongside";

/** The methods that the engine of an agent knows by what they do. */
export interface AgentMethodNames {
  readonly initialize: string;
  readonly login: string;
  readonly prompt: string;
  /** The notification that cancels what runs in a session. */
  readonly cancel: string;
  readonly update: string;
  readonly requestPermission: string;
  readonly elicit: string;
  readonly elicitationComplete: string;
}
