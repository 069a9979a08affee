import { UsageError } from "../../base/errors.ts";

/** A turn of either version, as far as it runs or not. */
export interface RunningTurn {
  readonly ended: boolean;
  readonly signal: AbortSignal;
}

/**
 * Checks that a turn is still running, for calls that bypass its own methods.
 *
 * @throws {UsageError} the turn has ended.
 * @throws the reason of the turn's signal, if the turn is cancelled.
 */
export function checkRunning(turn: RunningTurn): void {
  if (turn.ended) throw new UsageError("The turn has been answered; what belongs to it comes too late");
  turn.signal.throwIfAborted();
}
