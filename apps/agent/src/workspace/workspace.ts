import type { CallOf, AnyTurn } from "@acp/ai";

/**
 * The files and commands of a session, of the client or, where the client has none, of this machine within the directories of
 * the session. All paths are absolute.
 */
export interface Workspace {
  readonly cwd: string;
  /** The directory of the session and its additional directories. */
  readonly directories: readonly string[];
  /**
   * Reads a text file, with the user's unsaved changes if the client provides them. `line` counts from 1, `limit` is in lines.
   *
   * @throws {RequestError} the file does not exist, is no text, or lies outside of the directories.
   */
  readText(path: string, range?: { readonly line?: number; readonly limit?: number }): Promise<string>;
  /** Writes a text file, and its folders. Cancelling the turn does not interrupt it. */
  writeText(path: string, text: string): Promise<void>;
  /** Runs a command, shown in the call: live, in a terminal of the client if it has terminals. */
  runCommand(call: CallOf<AnyTurn>, command: WorkspaceCommand): Promise<CommandOutcome>;
}

export interface WorkspaceCommand {
  /** A line for the shell. */
  readonly command: string;
  /** Absolute. Default: the directory of the session. */
  readonly cwd?: string | undefined;
  /** In milliseconds. */
  readonly timeout: number;
}

/** How a command has ended. */
export interface CommandOutcome {
  readonly output: string;
  /** Whether the beginning of the output is missing. */
  readonly truncated: boolean;
  /** `undefined` if a signal has ended it. */
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly timedOut: boolean;
}
