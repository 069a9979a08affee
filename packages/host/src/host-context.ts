/** The part of a client handler's context that the hosts use. */
export interface HostContext {
  readonly session: HostSession;
  /** Aborts when the agent cancels this request. */
  readonly signal: AbortSignal;
}

/** The session a request belongs to. */
export interface HostSession {
  readonly id: string;
  readonly cwd: string | undefined;
  readonly additionalDirectories: readonly string[];
  /** Aborts when the session is closed or deleted, or the agent is gone. */
  readonly signal: AbortSignal;
}
