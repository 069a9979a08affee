import type { Place, State } from "./states.ts";

/** How many steps one pattern, or all patterns of a form, may take: some tenths of a second. */
const stepLimit = 2_000_000;

/** The steps that are left for reading and matching patterns. */
export class StepBudget {
  #left = stepLimit;

  /** Takes so many steps if they are left. Returns whether they were. */
  spend(steps: number): boolean {
    if (steps > this.#left) return false;
    this.#left -= steps;
    return true;
  }
}

/** Counts the characters of all matches, to tell which states a character has reached. */
let time = 0;

/**
 * Whether a part of the text matches; `undefined` if that takes more steps than are left. It follows all states at once,
 * character by character, and each only once per character: there is no backtracking.
 */
export function matchFrom(start: State, characters: readonly string[], budget: StepBudget): boolean | undefined {
  let current: State[] = [];
  for (let position = 0; position <= characters.length; position++) {
    const character = characters[position];
    // A match may begin anywhere.
    const pending = [...current, start];
    current = [];
    time++;
    for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
      if (state.reachedAt === time) continue;
      state.reachedAt = time;
      if (!budget.spend(1)) return undefined;
      if (state.kind === "match") return true;
      if (state.kind === "fork") pending.push(...state.ways);
      else if (state.kind === "assert") {
        if (isAt(state.at, characters, position)) pending.push(state.next);
      } else if (character !== undefined && state.fits(character)) current.push(state.next);
    }
  }
  return false;
}

function isAt(place: Place, characters: readonly string[], position: number): boolean {
  if (place === "start") return position === 0;
  if (place === "end") return position === characters.length;
  const isBoundary = isWord(characters[position - 1]) !== isWord(characters[position]);
  return isBoundary === (place === "boundary");
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /^\w$/u.test(character);
}
