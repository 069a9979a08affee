import type { List } from "./list.ts";

/** A turn of either version. */
interface AnyTurn {
  readonly turn: number;
  readonly status: string;
}

/** The index of the turn with this number, if it is not before `first`. */
export function findTurn(turns: List<AnyTurn>, turn: number, first: number): number | undefined {
  // A session counts its turns one by one, so the distance to the last one nearly always leads there.
  const guess = turns.length - 1 - ((turns.at(-1)?.turn ?? turn) - turn);
  if (guess >= first && turns.at(guess)?.turn === turn) return guess;
  for (let index = turns.length - 1; index >= first; index--) if (turns.at(index)?.turn === turn) return index;
  return undefined;
}

/** Whether a turn is over. */
export function isOver(turn: AnyTurn | undefined): boolean {
  return turn?.status === "ended" || turn?.status === "failed";
}
