import { UsageError } from "../../base/errors.ts";
import { requireArgument, requireObject } from "../../base/require-argument.ts";
import { readMember } from "../../base/values.ts";

/** The members of a session that are the same for all agents of a version, whatever their state and vocabulary. */
export type SessionMember = "id" | "cwd" | "meta" | "state" | "signal" | "update" | "offer";

/** The members of a session's client that are the same for all agents of a version. */
export type ClientMember = "capabilities" | "info" | "meta" | "request" | "notify";

/**
 * Checks that a turn is still running, for calls that bypass its own methods.
 *
 * @throws {UsageError} the turn has ended.
 * @throws the reason of the turn's signal, if the turn is cancelled.
 */
export function checkRunning(turn: { readonly ended: boolean; readonly signal: AbortSignal }): void {
  requireArgument(typeof readMember(turn, "ended") === "boolean", "This takes the turn of a prompt first", turn);
  if (turn.ended) throw new UsageError("The turn has been answered; what belongs to it comes too late");
  turn.signal.throwIfAborted();
}

/**
 * Checks what updates are sent to, for callers without types.
 *
 * @throws {UsageError} unless it has these methods.
 */
export function requireTarget(to: unknown, call: string, ...methods: readonly string[]): void {
  requireObject(to, `${call}() takes a turn or a session first`, ...methods);
}
