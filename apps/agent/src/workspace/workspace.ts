/**
 * The files and commands of a turn, of the client or, where the client has none, of this machine within the directories of
 * the session. All paths are absolute.
 */
export interface Workspace {
  readonly cwd: string;
  /** The directory of the session and its additional directories. */
  readonly directories: readonly string[];
  /** Aborts when the turn is cancelled. */
  readonly signal: AbortSignal;
  /**
   * Reads a text file, with the user's unsaved changes if the client provides them. `line` counts from 1, `limit` is in lines.
   *
   * @throws {RequestError} the file does not exist, is no text, or lies outside of the directories.
   */
  readText(path: string, range?: { readonly line?: number; readonly limit?: number }): Promise<string>;
  /**
   * Writes a text file, and creates it with the directories above it. No write begins after a cancel, and none that has begun
   * is interrupted.
   */
  writeText(path: string, text: string): Promise<void>;
  /**
   * Runs a command, shown in a tool call: live, in a terminal of the client if it has terminals. Cancelling the turn ends it,
   * and all that it has started.
   *
   * @throws {RequestError} the command could not be started.
   */
  runCommand(toolCallId: string, command: WorkspaceCommand): Promise<CommandOutcome>;
  /** Shows a change of a file in a tool call, as a diff, and where it is. */
  showChange(toolCallId: string, change: FileChange): Promise<void>;
}

export interface WorkspaceCommand {
  /** A line for the shell. */
  readonly line: string;
  /** In milliseconds. */
  readonly timeout: number;
}

/** How a command has ended. */
export interface CommandOutcome {
  readonly output: string;
  /** Whether the beginning of the output is missing. */
  readonly truncated: boolean;
  /** `null` if a signal has ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
}

/** A change of a text file. */
export interface FileChange {
  readonly path: string;
  /** `undefined` for a new file. */
  readonly oldText: string | undefined;
  readonly newText: string;
  /** Where the change begins, counted from 1. */
  readonly line?: number | undefined;
}

export interface WorkspaceOptions {
  /**
   * Variables that commands do not get from the environment: the keys of models. In terminals of the client they are empty.
   * Default: the usual ones, and none in terminals of the client.
   */
  readonly withoutVariables?: readonly string[] | undefined;
  /**
   * Called when a command in a terminal of the client has ended, with the id of its tool call: the terminal is gone with the
   * client, but its output may be shown again. Default: nobody is.
   */
  readonly onClientTerminal?: ((callId: string, output: string) => Promise<void>) | undefined;
}
