import type { List } from "./list.ts";

/** The states of a turn in both versions. `Ended` is what a turn has when the agent is done. */
export type TurnStatus<Ended> =
  | { readonly status: "running" }
  /** Cancelled by the client; the agent has not confirmed that yet. */
  | { readonly status: "cancelling" }
  | TurnEnd<Ended>;

/** How a turn may end. */
export type TurnEnd<Ended> =
  | ({ readonly status: "ended" } & Ended)
  /** It has failed: `error` is what its promise rejected with, or says that its program died first. */
  | { readonly status: "failed"; readonly error: unknown };

interface AnyTurn {
  readonly turn: number;
  readonly status: string;
}

interface FoundTurn<Turn> {
  readonly turn: Turn;
  readonly index: number;
}

/** The last turn with this number. */
export function findTurn<Turn extends AnyTurn>(turns: List<Turn>, number: number): FoundTurn<Turn> | undefined {
  const findAt = (index: number): FoundTurn<Turn> | undefined => {
    const turn = index < 0 ? undefined : turns.at(index);
    return turn?.turn === number ? { turn, index } : undefined;
  };
  // A session counts its turns one by one, so the distance to the last one nearly always leads there.
  let found = findAt(turns.length - 1 - ((turns.at(-1)?.turn ?? number) - number));
  for (let index = turns.length - 1; found === undefined && index >= 0; index--) found = findAt(index);
  return found;
}

/** Whether a turn is over. */
export function isOver(turn: AnyTurn | undefined): boolean {
  return turn?.status === "ended" || turn?.status === "failed";
}
