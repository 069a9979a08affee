/** The part of a client handler's context that the hosts use. */
export interface HostContext {
  /** The session that the request belongs to. */
  readonly session: HostSession;
  /** Aborts when the agent cancels this request. */
  readonly signal: AbortSignal;
}

/** The session a request belongs to. */
export interface HostSession {
  /** The id of the session. */
  readonly id: string;
  /** The working directory, an absolute path. Empty before the session is open, when it has no directories. */
  readonly cwd: string | undefined;
  /** Further workspace roots, as absolute paths. */
  readonly additionalDirectories: readonly string[];
  /** For a subagent, the session that announced it. The agent chooses the directories of a subagent. */
  readonly parent?: HostSession | undefined;
  /** Aborts when the session is closed, deleted or reopened, or the agent is gone. */
  readonly signal: AbortSignal;
}
