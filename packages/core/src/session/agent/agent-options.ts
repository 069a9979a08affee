import type { Awaitable } from "../../rpc/methods.ts";
import type { AgentOptionMembers, ClientDetailMembers, SetupMembers } from "./public-members.ts";

// The values that an agent sends and receives in any version of the protocol. Each version has typed views of the same names.

/** The client's description of itself in `initialize`. */
export type ClientDetails = ClientDetailMembers<object, object>;

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

/** The params that open a session. */
export interface SessionSetup extends SetupMembers<McpServer> {
  readonly method: string;
  readonly params: unknown;
}

/** The type of a method, so that a function with narrower params is one, too: the decoders of a protocol vouch for them. */
type Listener<P extends readonly unknown[], R> = { call(...args: P): R }["call"];

/** The options of an agent. */
export interface AgentOptions extends Omit<AgentOptionMembers<object, never, never, unknown>, "connected" | "session"> {
  readonly connected?: Listener<[client: object, signal: AbortSignal], Awaitable<void>> | undefined;
  readonly session?: Listener<[setup: object], unknown> | undefined;
  readonly capabilities?: object | undefined;
  readonly authMethods?:
    | readonly AuthMethod[]
    | Listener<[capabilities: object], Awaitable<readonly AuthMethod[]>>
    | undefined;
  readonly handlers: object;
  readonly onUpdate?: Listener<[update: unknown, session: object], void> | undefined;
  readonly overlappingPrompts?: OverlappingPrompts | undefined;
}

/**
 * What to do with a prompt that arrives while a turn is running in its session.
 *
 * - `refuse`: the prompt fails with `-32600`.
 * - `queue`: the prompt waits until earlier ones have ended.
 * - `replace`: the prompt cancels the running turn, like `session/cancel`, and queued prompts. It starts when that turn
 *   has ended.
 * - `alongside`: the prompt starts at once, and the turns run concurrently. Use it if your model can take a prompt
 *   while it works. The handler must support running several times at once in a session. Each run has its own `turn`,
 *   `signal` and `client`, and its turn ends when it returns, whatever the others do. All updates belong to the same
 *   session: clients assign them to the oldest running turn, and may answer all questions with `cancelled` while that
 *   turn is being cancelled.
 *
 * The `signal` of a replaced turn aborts. A handler of `session/cancel` is called only for that notification.
 *
 * `session/cancel`, and the end of the session, cancel running and queued prompts; `$/cancel_request` cancels one. Both
 * running and queued prompts count towards `maxIncomingRequests`.
 */
export type OverlappingPrompts = "refuse" | "queue" | "replace" | "alongside";

/** The methods that the engine of an agent treats specially, by their role. */
export interface AgentMethodNames {
  readonly initialize: string;
  readonly login: string;
  readonly prompt: string;
  /** The notification that cancels the work of a session. */
  readonly cancel: string;
  readonly update: string;
  readonly requestPermission: string;
  readonly elicit: string;
  readonly elicitationComplete: string;
}
