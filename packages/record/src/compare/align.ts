import { lineDiff } from "@acp/core/state";

/** The places of two things that belong together, or of one that is on one side only. */
export type Pair = readonly [left: number | undefined, right: number | undefined];

/** A thing of a list: its place, and its keys, the strongest first. */
export interface Keyed {
  readonly place: number;
  readonly keys: readonly string[];
}

/**
 * Aligns two lists: things belong together that have the same key. The first keys decide; the next ones align what is left in
 * between.
 */
export function align(left: readonly Keyed[], right: readonly Keyed[], level = 0): Pair[] {
  const levels = left[0]?.keys.length ?? 0;
  if (right.length === 0 || level >= levels)
    return [
      ...left.map(({ place }): Pair => [place, undefined]),
      ...right.map(({ place }): Pair => [undefined, place]),
    ];
  const pairs: Pair[] = [];
  let [leftFrom, rightFrom] = [0, 0];
  const fill = (leftTo: number, rightTo: number): void => {
    const between = align(left.slice(leftFrom, leftTo), right.slice(rightFrom, rightTo), level + 1);
    // Not by spreading: there may be very many.
    for (const pair of between) pairs.push(pair);
    [leftFrom, rightFrom] = [leftTo + 1, rightTo + 1];
  };
  for (const [one, other] of sameKeys(left, right, level)) {
    fill(one, other);
    pairs.push([left[one]?.place, right[other]?.place]);
  }
  fill(left.length, right.length);
  return pairs;
}

/** The indexes of the things with the same key, as many as possible in the same order. */
function sameKeys(left: readonly Keyed[], right: readonly Keyed[], level: number): (readonly [number, number])[] {
  const keyOf = ({ keys }: Keyed): string => keys[level] ?? "";
  const [lefts, rights] = [new Set(left.map(keyOf)), new Set(right.map(keyOf))];
  // What only one side has decides nothing, and would take most of the time.
  const common = (list: readonly Keyed[], others: ReadonlySet<string>): { at: number; line: string }[] =>
    list.flatMap((one, at) => (others.has(keyOf(one)) ? [{ at, line: `${keyOf(one)}\n` }] : []));
  const [ours, theirs] = [common(left, rights), common(right, lefts)];
  const pairs: (readonly [number, number])[] = [];
  let [one, other] = [0, 0];
  for (const [kind] of lineDiff(ours.map(({ line }) => line).join(""), theirs.map(({ line }) => line).join(""))) {
    if (kind === " ") pairs.push([ours[one]?.at ?? 0, theirs[other]?.at ?? 0]);
    if (kind !== "+") one++;
    if (kind !== "-") other++;
  }
  return pairs;
}
