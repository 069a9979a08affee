import { UsageError } from "../../base/errors.ts";

/**
 * A turn that is running, for what does not go through its own methods.
 *
 * @throws {UsageError} if it has been answered, and the signal's reason if it was cancelled.
 */
export function checkRunning(turn: { readonly ended: boolean; readonly signal: AbortSignal }): void {
  if (turn.ended) throw new UsageError("The turn has been answered; what belongs to it comes too late");
  turn.signal.throwIfAborted();
}
