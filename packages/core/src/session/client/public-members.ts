import type { MetaOptions, RequestOptions } from "../../rpc/peer.ts";

// The members that connected agents, sessions and handlers' contexts have in every version.

/** A connected agent, whatever the version. */
export interface ConnectedMembers<out Session> {
  /** The version both sides speak. */
  readonly protocolVersion: number;
  /** The `_meta` of its answer to `initialize`; empty if there was none (EXT-01). */
  readonly meta: { readonly [key: string]: unknown };
  /**
   * The session with this id, if it is open or is being opened under this id; else `undefined`. A session that waits for a login
   * is not open.
   */
  session(sessionId: string): Session | undefined;
  /**
   * Takes over a session that the agent has opened by itself: see `unclaimed` of a session. From then on it is a session of
   * this client like any other, with the folders that you name. Nothing is sent to the agent.
   *
   * Make a state or start a loop over the updates right after it, to get those that came before as well: up to 1,000 are kept
   * for that. The id may also be one that the agent has not used yet.
   *
   * @throws {UsageError} for a path that is not absolute, and for a session that is open, or is being opened under this id.
   * @throws what the connection has ended with.
   */
  claimSession(claim: SessionClaim): Session;
  /**
   * Logs in with one of `authMethods` that takes no terminal (AUTH-05).
   *
   * @throws {CapabilityError} if the agent did not offer it.
   * @throws what {@link Peer.request} throws.
   */
  authenticate(methodId: string, options?: RequestOptions & MetaOptions): Promise<void>;
  /** Aborts when the connection ends; the reason is an error that says why. */
  readonly signal: AbortSignal;
  /** Resolves when the connection has ended. Never rejects. */
  readonly closed: Promise<void>;
  /** Ends the connection, and the agent's process if it was spawned. */
  close(): Promise<void>;
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A session of the agent's own that a client wants to use, and the folders that it gets. */
export interface SessionClaim {
  /** The id under which the agent sends its updates and questions. */
  readonly sessionId: string;
  /** Its working directory; absolute. Files and terminals of the session stay within it. */
  readonly cwd: string;
  /** Further root folders: absolute paths. Default: none. */
  readonly additionalDirectories?: readonly string[] | undefined;
}

/** A session, whatever the version. */
export interface SessionMembers<out Agent, out Update> {
  /** The id that the agent gave it. */
  readonly id: string;
  /**
   * The working directory that it was opened with; absolute. Empty in a request of the agent that arrives before the answer that
   * opens a new session: several may be opening, and it is unknown which of them it is. Also empty in an `unclaimed` one.
   */
  readonly cwd: string;
  /**
   * Whether the agent has opened it by itself, as some agents do for subagents, and you have not claimed it. Say so where you
   * show what comes from it: the user does not know it. Its requests for files and terminals are refused; `claimSession` of
   * the connected agent changes that, and lets you prompt in it.
   */
  readonly unclaimed: boolean;
  /** Further root folders that it was opened with: absolute paths, often none. */
  readonly additionalDirectories: readonly string[];
  /** The `_meta` of the answer that opened it; empty if there was none (EXT-01). */
  readonly meta: { readonly [key: string]: unknown };
  /** Aborts when the session is closed, deleted or opened again, or the agent is gone. Clean up then. */
  readonly signal: AbortSignal;
  /**
   * Every update of the session, also between turns and while it is opened. A loop gets the updates from its start on. Start it
   * right after opening the session, before you await anything else, to get the earlier ones as well.
   */
  readonly updates: AsyncIterable<Update>;
  /** The agent. Calls are for this session: they need no `sessionId`. */
  readonly agent: Agent;
}

/** The second argument of a handler, whatever the version. */
export interface ContextMembers<out Agent, out Session> {
  /** The agent. With a session, its calls are for the session: they need no `sessionId`. */
  readonly agent: Agent;
  /**
   * The session that the params name; `undefined` if they name none that is open. `unclaimed` says that the agent has opened
   * it by itself.
   */
  readonly session: Session;
  /**
   * Aborts when the agent cancels this request or is gone. For questions to the user (permission, elicitation), also when their
   * turn is cancelled or their session ends, as far as that is known here.
   */
  readonly signal: AbortSignal;
}
