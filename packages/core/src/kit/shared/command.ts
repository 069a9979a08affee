/** A command to run. */
export interface Command {
  /** The program, by name or path. */
  readonly command: string;
  /** The program's arguments. Default: none. */
  readonly args?: readonly string[] | undefined;
  /** The directory to run it in, an absolute path. Default: the session's `cwd`. */
  readonly cwd?: string | undefined;
}

/** How to report a command as a tool call, and when to end it. */
export interface CommandReport<ReportedToolCall, NewToolCall> {
  /** The time limit, in milliseconds (TERM-14). Default: `Infinity`; the command may run as long as the turn. */
  readonly timeout?: number | undefined;
  /**
   * The tool call that shows the command: an already reported one, or the members of a new one. Default: a new one of
   * kind `execute` with the command line as its title.
   */
  readonly call?: ReportedToolCall | Omit<Partial<NewToolCall>, "content" | "status"> | undefined;
}

/** How a command ended, and what it printed. */
export interface CommandResult {
  /** The exit code; `null` if a signal ended the command, or it is unknown. */
  readonly exitCode: number | null;
  /** The signal that ended the command, such as `SIGTERM`; otherwise `null`. */
  readonly signal: string | null;
  /** The output, or the end of it. */
  readonly output: string;
  /** Whether the beginning of the output was dropped. */
  readonly truncated: boolean;
  /** Whether the time limit ended the command. */
  readonly timedOut: boolean;
}
