import type { Side } from "../requirements/requirement.ts";

/** How much a check weighs: rules with MUST, rules with SHOULD, and what real peers do, right or wrong. */
export type CheckLevel = "must" | "should" | "hostile";

/** One thing that is checked. */
export interface Check<Context> {
  /** Its name, which never changes: words with hyphens, such as `text-after-the-answer`. */
  readonly id: string;
  readonly side: Side;
  /** What has to be so, in one sentence. */
  readonly title: string;
  readonly level: CheckLevel;
  /** The rules of the protocol that it is about, such as `CANC-05`. */
  readonly rules?: readonly string[];
  /** Where such a peer was seen: the address of a public report. */
  readonly seen?: string;
  /** The versions of the protocol in which it makes sense. Default: both. */
  readonly protocols?: readonly (1 | 2)[];
  /** How to mend what fails, in a sentence or two. */
  readonly mend: string;
  /**
   * Checks it. Returns if all is well.
   *
   * @throws {CheckFailure} if the rule is broken.
   * @throws {NotApplicable} if the checked side does not offer what it is about.
   * @throws {NotReached} if the checked side did not get that far.
   */
  run(context: Context): Promise<void>;
}

/** A check without what all of its side and level have in common. */
export type NewCheck<Context> = Omit<Check<Context>, "side" | "level" | "seen"> & {
  readonly seen?: string | undefined;
};

/** Returns what makes checks of a side and level. */
export function weighing<Context>(side: Side, level: CheckLevel): (check: NewCheck<Context>) => Check<Context> {
  return ({ seen, ...check }) => ({ ...check, ...(seen !== undefined && { seen }), side, level });
}

/** The checked side is wrong. */
export class CheckFailure extends Error {
  override readonly name = "CheckFailure";
}

/** The checked side does not offer what the check is about. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

/** The checked side did not get as far as the check needs. */
export class NotReached extends Error {
  override readonly name = "NotReached";
}

/** What the checked side has done wrong, as an error to throw. */
export function expectThat(isSo: boolean, otherwise: string): asserts isSo {
  if (!isSo) throw new CheckFailure(otherwise);
}

/** Waits for what a check needs before it begins. Whatever goes wrong there is not what it checks. */
export async function reach<T>(waited: PromiseLike<T>, what: string): Promise<T> {
  try {
    return await waited;
  } catch (error) {
    if (error instanceof NotApplicable || error instanceof NotReached || error instanceof CheckFailure) throw error;
    if (isStartError(error)) throw error;
    throw new NotReached(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Whether a program could not be started: no check can say anything about it then. */
export function isStartError(error: unknown): boolean {
  return error instanceof Error && error.name === "ProcessStartError";
}
