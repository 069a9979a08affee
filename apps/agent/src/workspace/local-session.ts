/** What the files and commands of this machine need to know of a session. The `AgentSession` of either version fits. */
export interface LocalSession {
  readonly id: string;
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
  /** Aborts when the session ends. */
  readonly signal: AbortSignal;
}
