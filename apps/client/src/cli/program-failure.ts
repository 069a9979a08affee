/** A failure that a user can do something about: ends the program with one line and an exit code of its own. */
export class ProgramFailure extends Error {
  readonly exitCode: number;
  /** What to do: one line, often a command. */
  readonly advice: string | undefined;

  constructor(message: string, exitCode: number, advice?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
    this.advice = advice;
  }
}
