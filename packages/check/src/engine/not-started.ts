import { requireObject } from "@acp/core/internal";

/** A program that has ended by itself: an agent before it said anything, or a client before it started its agent. */
export class NotStartedError extends Error {
  override readonly name = "NotStartedError";
  /** The end of its stderr. */
  readonly stderr: string;

  constructor(side: "agent" | "client", end: ProgramEnd, stderr: string) {
    requireObject(end, "new NotStartedError() takes how the program has ended");
    const before = side === "agent" ? "it said anything" : "it started its agent";
    super(`The ${side} has ended with ${end.signal ?? `exit code ${end.exitCode}`} before ${before}`);
    this.stderr = stderr;
  }
}

/** How a program has ended. */
export interface ProgramEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}
