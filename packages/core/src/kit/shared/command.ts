/** A command to run. */
export interface Command {
  /** The program, by name or path. */
  readonly command: string;
  /** Its arguments. Default: none. */
  readonly args?: readonly string[] | undefined;
  /** The directory to run it in; absolute. Default: the session's `cwd`. */
  readonly cwd?: string | undefined;
}

/** How to report a command as a tool call, and when to end it. */
export interface CommandReport<ReportedToolCall, NewToolCall> {
  /** The time limit in milliseconds (TERM-14). Default: `Infinity`, the command may run as long as the turn. */
  readonly timeout?: number | undefined;
  /**
   * The tool call that shows the command: one that was reported already, or the members of a new one. Default: a new one of
   * kind `execute`, titled with the command line.
   */
  readonly call?: ReportedToolCall | Omit<Partial<NewToolCall>, "content" | "status"> | undefined;
}

/** How a command ended, and what it printed. */
export interface CommandResult {
  /** Its exit code; `null` if a signal ended it, or if it is unknown. */
  readonly exitCode: number | null;
  /** The signal that ended it, such as `SIGTERM`; else `null`. */
  readonly signal: string | null;
  /** What it printed: all of it, or its end. */
  readonly output: string;
  /** Whether the beginning of the output was dropped. */
  readonly truncated: boolean;
  /** Whether the time limit ended it. */
  readonly timedOut: boolean;
}
