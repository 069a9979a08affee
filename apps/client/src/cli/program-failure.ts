/** A failure that a user can do something about: ends the program with one line and an exit code of its own. */
export class ProgramFailure extends Error {
  readonly exitCode: number;
  /** What to do: one line, often a command. */
  readonly advice: string | undefined;
  /** Lines below that, such as the end of the agent's stderr. */
  readonly details: readonly string[];

  constructor(message: string, exitCode: number, advice?: string, cause?: unknown, details: readonly string[] = []) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
    this.advice = advice;
    this.details = details;
  }
}
