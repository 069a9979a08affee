import { UsageError } from "@acp/core";

/** The longest delay of a timer, in milliseconds: 24 days. A longer one fires at once. */
const longestTimer = 2 ** 31 - 1;

/**
 * Checks a time limit and converts it for timers: `Infinity` for no limit, else no more than they can wait.
 *
 * @throws {UsageError} if it is not a number, or less than 0.
 */
export function timeLimit(option: string, milliseconds: unknown): number {
  if (milliseconds === Infinity) return milliseconds;
  if (typeof milliseconds === "number" && milliseconds >= 0) return Math.min(milliseconds, longestTimer);
  throw new UsageError(
    `${option} is ${String(milliseconds)}; expected milliseconds from 0 on, or Infinity for no limit`,
  );
}
