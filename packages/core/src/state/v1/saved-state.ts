import { ConnectionClosedError, UsageError } from "../../base/errors.ts";
import type { List } from "../shared/list.ts";

// A saved state may have been left in the middle of a turn: the program has died, and with it what could have ended that.

/** A state, of whichever version. */
export interface SavedState {
  readonly timeline?: object;
  readonly turns: List<{ readonly turn: number }>;
}

/** What ends something that may still run. */
export type Ending =
  | { readonly type: "turn_failed"; readonly turn: number; readonly error: unknown }
  | { readonly type: "closed"; readonly turn?: undefined };

/** Checks that a session can go on from a state. */
export function checkSavedState({ timeline }: SavedState, replaysHistory: boolean | undefined): void {
  if (replaysHistory) {
    throw new UsageError(
      "A session that tells its whole history takes no `state`: leave it out, or resume without a replay",
    );
  }
  // What JSON.parse makes is of any type.
  if (!(timeline && "append" in timeline)) {
    throw new UsageError("`state` cannot be saved itself: save the events, and make it of them with reduceSession");
  }
}

/** The events that end what may still run in a state; those of what does not run change nothing. */
export function endingsOf({ turns }: SavedState): readonly Ending[] {
  const error = new ConnectionClosedError("The program ended before the turn did");
  return [...turns.slice().map(({ turn }) => ({ type: "turn_failed", turn, error }) as const), { type: "closed" }];
}
