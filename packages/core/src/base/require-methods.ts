import { UsageError } from "./errors.ts";
import { readMember } from "./values.ts";

/**
 * Checks early what a function was given, for callers without types.
 *
 * @param usage what the function takes, for the message.
 * @throws {UsageError} if the value lacks one of these methods.
 */
export function requireMethods(value: unknown, methods: readonly string[], usage: string): void {
  if (methods.every((method) => typeof readMember(value, method) === "function")) return;
  const got = value === null ? "null" : typeof value;
  throw new UsageError(`${usage}, got ${got === "object" ? "another object" : got}`);
}
