import { UsageError } from "../base/errors.ts";

/**
 * Checks early that a transport or a pipe can be started, for callers without types. A function of its own, because agents are
 * bundled with it.
 *
 * @param usage What the function takes, for the message.
 * @throws {UsageError} unless it has `start`.
 */
export function requireStart(value: { readonly start?: unknown } | null | undefined, usage: string): void {
  if (typeof value?.start !== "function")
    throw new UsageError(`${usage}, got ${value === null ? value : typeof value}`);
}
