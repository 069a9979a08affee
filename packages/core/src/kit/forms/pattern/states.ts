/** A state of the matcher: a condition to go on, and the states after it. */
export type State = { reachedAt?: number } & (
  | { readonly kind: "take"; fits(character: string): boolean; readonly next: State }
  | { readonly kind: "assert"; readonly at: Place; readonly next: State }
  | { readonly kind: "fork"; readonly ways: readonly State[] }
  | { readonly kind: "match" }
);

/** A place between two characters. */
export type Place = "start" | "end" | "boundary" | "no-boundary";

/** A part of a pattern: how many states it needs, and how to make them in front of the state after it. */
export interface Part {
  readonly size: number;
  link(next: State): State;
}

/** The matcher does not support the pattern; the message says why. */
export class PatternError extends Error {}

/** How many states a pattern may have. */
const sizeLimit = 5_000;

/** @throws {PatternError} the part would be too large. It is checked before any state is made. */
function limited(size: number, link: Part["link"]): Part {
  if (size > sizeLimit) throw new PatternError("it is too large when its repetitions are written out");
  return { size, link };
}

export function sequence(parts: readonly Part[]): Part {
  const [first, ...others] = parts.filter(({ size }) => size > 0);
  if (first !== undefined && others.length === 0) return first;
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  return limited(size, (next) => parts.reduceRight((state, part) => part.link(state), next));
}

export function alternatives(parts: readonly Part[]): Part {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const size = parts.reduce((sum, part) => sum + part.size + 1, 0);
  return limited(size, (next) => ({ kind: "fork", ways: parts.map((part) => part.link(next)) }));
}

/** `max` is `Infinity` if there is no maximum. */
export function repeat(part: Part, min: number, max: number): Part {
  const copies = max === Infinity ? min + 1 : max;
  return limited((part.size + 1) * copies, (next) => {
    let state = next;
    if (max === Infinity) {
      const ways: State[] = [next];
      state = { kind: "fork", ways };
      ways.push(part.link(state));
    } else {
      for (let count = min; count < max; count++) state = { kind: "fork", ways: [next, part.link(state)] };
    }
    for (let count = 0; count < min; count++) state = part.link(state);
    return state;
  });
}
