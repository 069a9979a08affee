/** The exit codes of this program. The README has the same table. */
export const ExitCode = {
  endTurn: 0,
  /** Something failed that has no code of its own. */
  failure: 1,
  usage: 2,
  refusal: 3,
  maxTokens: 4,
  maxTurnRequests: 5,
  /** The agent could not be started, or it ended while it was needed. */
  agentEnded: 6,
  /** The program does not speak ACP: what it wrote were no messages, or not those of the protocol. */
  protocolError: 7,
  /** The agent did not answer in time, or `--timeout` has passed. */
  timeout: 8,
  loginNeeded: 9,
  noSuchSession: 10,
  /** A file of the configuration cannot be read, or is wrong; or there is no agent of this name. */
  configuration: 11,
  /** The agent needed a permission, and nobody was there to give it. */
  permissionDenied: 12,
  /** As after Ctrl-C in a shell. */
  cancelled: 130,
} as const;

const ofStopReasons: ReadonlyMap<string, number> = new Map([
  ["end_turn", ExitCode.endTurn],
  ["refusal", ExitCode.refusal],
  ["max_tokens", ExitCode.maxTokens],
  ["max_turn_requests", ExitCode.maxTurnRequests],
  ["cancelled", ExitCode.cancelled],
]);

export function exitCodeOf(stopReason: string): number {
  return ofStopReasons.get(stopReason) ?? ExitCode.failure;
}

export type FailureWords = Pick<ProgramFailure, "message" | "exitCode" | "advice" | "details">;

/** A failure that a user can do something about: ends the program with one line and an exit code of its own. */
export class ProgramFailure extends Error {
  readonly exitCode: number;
  /** What to do: one line, often a command. */
  readonly advice: string | undefined;
  /** Lines below that, such as the end of the agent's stderr. */
  readonly details: readonly string[];

  static of(failure: FailureWords, cause: unknown): ProgramFailure {
    const { message, exitCode, advice, details } = failure;
    return new ProgramFailure(message, exitCode, advice, cause, details);
  }

  constructor(message: string, exitCode: number, advice?: string, cause?: unknown, details: readonly string[] = []) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
    this.advice = advice;
    this.details = details;
  }
}

/** The failure of a configuration that is wrong or cannot be used, or of a name that is not in it. */
export function wrongConfiguration(
  message: string,
  ...more: [advice?: string, cause?: unknown, details?: readonly string[]]
): ProgramFailure {
  return new ProgramFailure(message, ExitCode.configuration, ...more);
}

/** The command line is wrong; the message says why and what to do. */
export class CommandLineError extends Error {
  readonly help: string | undefined;

  constructor(message: string, help?: string) {
    super(message);
    this.help = help;
  }
}
