import { ConnectionClosedError, UsageError } from "../errors.ts";
import type { AnyEvent, AnyState } from "./session-state.ts";

// A saved state may have been left in the middle of a turn: the program has died, and with it what could have ended that.

/** Checks that a session can go on from a state. */
export function checkSavedState(state: AnyState, replaysHistory: boolean | undefined): void {
  if (replaysHistory) {
    throw new UsageError("A loaded session tells its whole history: leave out `state`, or resume the session");
  }
  // What JSON.parse makes is of any type.
  if (typeof state.timeline?.append !== "function") {
    throw new UsageError("`state` cannot be saved itself: save the events, and make it of them with reduceSession");
  }
}

/** The events that end what may still run in a state; those of what does not run change nothing. */
export function endingsOf({ turns }: AnyState): readonly AnyEvent[] {
  const error = new ConnectionClosedError("The program ended before the turn did");
  return [...turns.slice().map(({ turn }) => ({ type: "turn_failed", turn, error }) as const), { type: "closed" }];
}

/** The highest number of its turns. */
export function lastTurnOf({ turns }: AnyState): number {
  return turns.slice().reduce((last, { turn }) => Math.max(last, turn), 0);
}
