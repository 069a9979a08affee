import type { Check } from "../engine/check.ts";
import { set202611 } from "./2026-11.ts";
import type { CheckSet } from "./check-set.ts";

/** The sets, the newest last. */
export const checkSets: readonly CheckSet[] = [set202611];

/** The newest set. */
export const currentSet: string = checkSets.at(-1)?.name ?? "";

/** The name of all checks: those of the newest set, and those that will join the next one. */
export const nextSet = "next";

/** The checks of a set, with the levels that they have in it. */
export function checksOfSet<C extends Check<never>>(
  checks: readonly C[],
  name: string,
  sets: readonly CheckSet[] = checkSets,
): readonly C[] {
  const set = sets.find((known) => known.name === name);
  if (set === undefined || set.isOpen === true) return checks;
  return checks.flatMap((check) => {
    const level = Object.hasOwn(set[check.side], check.id) ? set[check.side][check.id] : undefined;
    if (level === undefined) return [];
    return [level === check.level ? check : { ...check, level }];
  });
}
