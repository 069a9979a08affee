import type { MetaOptions, RequestOptions } from "../../rpc/peer.ts";

// The members that connected agents, sessions and handlers' contexts have in every version.

/** A connected agent, in any version. */
export interface ConnectedMembers<out Session, out Method = unknown> {
  /** The protocol version that both sides speak. */
  readonly protocolVersion: number;
  /** The login methods that the agent offers. */
  readonly authMethods: readonly Method[];
  /** The `_meta` of the agent's response to `initialize`; empty if there was none (EXT-01). */
  readonly meta: { readonly [key: string]: unknown };
  /**
   * Returns the session with this id if it is open or opening; otherwise `undefined`. A session that is waiting for a
   * login is not open.
   */
  session(sessionId: string): Session | undefined;
  /**
   * Takes over a session that the agent opened by itself (see `unclaimed` of a session). It is then a session of this
   * client like any other, with the directories that you name. Nothing is sent to the agent.
   *
   * To get earlier updates too, create a state or start a loop over the updates right after this call: up to 1,000
   * updates are kept. You may also claim an id that the agent has not used yet.
   *
   * @throws {UsageError} if a path is not absolute, or a session with this id is open or opening.
   * @throws the error that the connection ended with.
   */
  claimSession(claim: SessionClaim): Session;
  /**
   * Logs in with one of `authMethods` that is not of type `terminal` (AUTH-05).
   *
   * @throws {CapabilityError} if the agent did not offer the method.
   * @throws what {@link Peer.request} throws.
   */
  authenticate(methodId: string, options?: RequestOptions & MetaOptions): Promise<void>;
  /** Aborts when the connection ends. Its reason is an error that says why. */
  readonly signal: AbortSignal;
  /** Resolves when the connection has ended. Never rejects. */
  readonly closed: Promise<void>;
  /** Ends the connection, and the agent's process if it was spawned. */
  close(): Promise<void>;
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A session that the agent opened by itself, and the directories that the client gives it. */
export interface SessionClaim {
  /** The id under which the agent sends its updates and questions. */
  readonly sessionId: string;
  /** The working directory, an absolute path. Files and terminals of the session stay within it. */
  readonly cwd: string;
  /** Further workspace roots, as absolute paths. Default: none. */
  readonly additionalDirectories?: readonly string[] | undefined;
}

/** A session, in any version. */
export interface SessionMembers<out Agent, out Update, out Option> {
  /** The id that the agent gave the session. */
  readonly id: string;
  /**
   * The working directory that the session was opened with, an absolute path. Empty in an `unclaimed` session, and in a
   * request from the agent that arrives before the response that opens a new session: several sessions may be opening,
   * so it is unknown which one it is.
   */
  readonly cwd: string;
  /**
   * Whether the agent opened the session by itself, as some agents do for subagents, and you have not claimed it. Point
   * that out when you show its content, because the user does not know the session. Its requests for files and
   * terminals are refused. `claimSession` of the connected agent allows them, and lets you send prompts.
   */
  readonly unclaimed: boolean;
  /** Further workspace roots that the session was opened with, as absolute paths. */
  readonly additionalDirectories: readonly string[];
  /** The config options, up to date; `undefined` if the session has none. */
  readonly configOptions: readonly Option[] | undefined;
  /** The `_meta` of the response that opened the session; empty if there was none (EXT-01). */
  readonly meta: { readonly [key: string]: unknown };
  /** Aborts when the session is closed, deleted or reopened, or the agent is gone. Clean up then. */
  readonly signal: AbortSignal;
  /**
   * All updates of the session, including those between turns and while it opens. A loop gets the updates that arrive
   * after it starts. To get the earlier ones too, start it right after you open the session, before you await anything
   * else.
   */
  readonly updates: AsyncIterable<Update>;
  /** The agent. Calls are for this session, so they need no `sessionId`. */
  readonly agent: Agent;
  /**
   * Changes a config option. Resolves with all options and their new values (CONF-14).
   *
   * @throws {CapabilityError} if the session has no config options.
   * @throws {UsageError} if there is no such option or value, or the session has ended.
   * @throws what {@link Peer.request} throws.
   */
  setConfigOption(
    configId: string,
    value: string | boolean,
    options?: RequestOptions & MetaOptions,
  ): Promise<readonly Option[]>;
}

/** The second argument of a handler, in any version. */
export interface ContextMembers<out Agent, out Session> {
  /** The agent. If there is a session, calls are for that session, so they need no `sessionId`. */
  readonly agent: Agent;
  /**
   * The session that the params name; `undefined` if it is not open. It is `unclaimed` if the agent opened it by
   * itself.
   */
  readonly session: Session;
  /**
   * Aborts when the agent cancels this request or is gone. For questions to the user (permission, elicitation), it also
   * aborts when their turn is cancelled or their session ends, if the client knows these.
   */
  readonly signal: AbortSignal;
}

/** An event in a session of any version, as its client sees it. */
export type CommonSessionEvent<Update, Call, Block, Option> =
  /** An update arrived, and all earlier ones are handled. */
  | { readonly type: "update"; readonly update: Update }
  /** The agent asks for permission for a tool call. The call may be new or changed, and counts like an update. */
  | { readonly type: "permission_requested"; readonly toolCall: Call }
  /** A prompt is being sent. */
  | {
      readonly type: "turn_started";
      /** Identifies the turn in later events. Unique in the session. */
      readonly turn: number;
      readonly prompt: readonly Block[];
    }
  /** The agent accepted a new value of an option, and sent all options with their current values (CONF-14). */
  | { readonly type: "config_options_set"; readonly configOptions: readonly Option[] };
