import { UsageError } from "./errors.ts";
import { isObject } from "./values.ts";

/**
 * Checks early what a function was given, for callers without types.
 *
 * @param usage What the function takes, for the message: `steer() takes a session`.
 * @throws {UsageError} unless `isRight`.
 */
export function requireArgument(isRight: boolean, usage: string, got: unknown): void {
  if (isRight) return;
  const kind = got === null ? "null" : typeof got;
  throw new UsageError(`${usage}, got ${kind === "object" ? "another object" : kind}`);
}

/** Requires an object that has these methods; see {@link requireArgument}. */
export function requireObject(value: unknown, usage: string, ...methods: readonly PropertyKey[]): void {
  requireArgument(isObject(value) && methods.every((name) => typeof value[name] === "function"), usage, value);
}
