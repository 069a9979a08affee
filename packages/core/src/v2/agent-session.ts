import type { AgentMethods, ClientMethods, Received } from "@acp/schema/v2/types";
import type { Awaitable, ReceivedParamsOf } from "../rpc/methods.ts";
import type { SessionPeer } from "../rpc/peer.ts";
import type { AgentTurnContext } from "./agent-handlers.ts";
import type {
  BackgroundWorkOf,
  OpeningMethod,
  ReceivedClientCapabilitiesOf,
  ReceivedMcpServerOf,
  TurnEnd,
  UpdateOf,
} from "./protocol-types.ts";

/** The request that opens a session: `session/new`, `session/resume` … */
export type SessionSetup<A = AgentMethods> = {
  [K in Extract<keyof A, OpeningMethod>]: SetupParts<A> & {
    /** The method that opens the session. */
    readonly method: K;
    /** The params of that method, as received. */
    readonly params: ReceivedParamsOf<A, K>;
  };
}[Extract<keyof A, OpeningMethod>];

interface SetupParts<A> {
  /** The id of the session. For `session/new`, it is a proposal: the handler may return another id. */
  readonly sessionId: string;
  /** The working directory, an absolute path and the base for relative ones. */
  readonly cwd: string;
  /** Further workspace roots besides `cwd`, as absolute paths. */
  readonly additionalDirectories: readonly string[];
  /** The MCP servers that the agent should connect to. */
  readonly mcpServers: readonly ReceivedMcpServerOf<A>[];
  /**
   * Aborts when the session ends. It can abort while the session is still opening, if the client cancels the request or
   * is gone.
   */
  readonly signal: AbortSignal;
}

/** What the client sent in `initialize`. */
export interface ClientDetails<A = AgentMethods> {
  /** The capabilities that the client advertised. An absent capability is not supported. */
  readonly capabilities: ReceivedClientCapabilitiesOf<A>;
  /** The client's name and version; `undefined` before `initialize`. */
  readonly info: Received.Implementation | undefined;
  /** The `_meta` of the request; empty if there was none. */
  readonly meta: { readonly [key: string]: unknown };
}

/** A session on the agent's side. */
export interface AgentSession<out S = undefined, out C = ClientMethods, out A = AgentMethods> {
  /** The id of the session. Until the response to `session/new`, it is a proposal that the handler may replace. */
  readonly id: string;
  /** The working directory that the session was opened with, an absolute path. */
  readonly cwd: string;
  /** Further workspace roots that the session was opened with, as absolute paths. */
  readonly additionalDirectories: readonly string[];
  /** The MCP servers that the session was opened with. */
  readonly mcpServers: readonly ReceivedMcpServerOf<A>[];
  /** The `_meta` of the params that the session was opened with; empty if there was none. */
  readonly meta: { readonly [key: string]: unknown };
  /** What the option `session` of `createAgent` returned. You may change it. */
  state: S;
  /**
   * Aborts when the session is closed, deleted or resumed again, or the client is gone. Clean up then, including
   * background work.
   */
  readonly signal: AbortSignal;
  /**
   * The client, and what it sent in `initialize`. Calls are for this session, so they need no `sessionId`. A question
   * that you ask through it does not belong to a turn: it does not change the session's state, and only closing the
   * session withdraws it, not a cancel.
   */
  readonly client: SessionPeer<C> & ClientDetails<A>;
  /**
   * Sends a `session/update`, in a turn or between turns. Await it: the promise stays pending while the client is slow
   * to read. While the response to `session/new` is pending, updates are queued, and sent right after the response.
   *
   * Do not send a `state_update`: turns and {@link setBackground} do that.
   *
   * @throws {CapabilityError} if the client does not support the kind of update; nothing was sent.
   * @throws {UsageError} if the session has ended or is being reopened (this never counts as an unhandled rejection),
   * or the update breaks a rule, for example with a relative path; nothing was sent.
   * @throws {MessageTooLargeError} if the update is over the size limit; nothing was sent.
   * @throws {ConnectionClosedError} if the connection has ended.
   */
  update(update: UpdateOf<C>): Promise<void>;
  /**
   * Like `update`, for an update that nothing depends on. If the client does not support it, it is left out, with a
   * diagnostic. Resolves with whether it was sent.
   */
  offer(update: UpdateOf<C>): Promise<boolean>;
  /** The state of the session's foreground work, as last reported to the client. */
  readonly activity: "idle" | "running" | "requires_action";
  /**
   * Reports all background work: tool calls and terminals that you have reported and that are still running. Every
   * later state of the session includes this list, until you set another one. The `background` that a prompt handler
   * returns sets it too.
   *
   * @throws {UsageError} like {@link update}.
   */
  setBackground(background: readonly BackgroundWorkOf<C>[]): Promise<void>;
  /**
   * Runs a turn without a prompt, for example to report on background work that is done. The session is `running`
   * meanwhile, and then idle with what `work` returns. The turn starts at once, even while another turn is running.
   *
   * Resolves when the turn has ended. If `work` throws, the turn ends with stop reason `error`, or `cancelled` if it
   * was cancelled, and the promise still resolves.
   *
   * @throws {UsageError} if the session has ended or is being reopened; this never counts as an unhandled rejection.
   */
  run(work: (context: AgentTurnContext<S, C, A>) => Awaitable<TurnEnd<C>>): Promise<void>;
}
