import type { Left } from "./rules-left.ts";

/** What to do about errors of the compiler, by their numbers, after a schema has changed. */
const advice: readonly (readonly [numbers: readonly number[], what: string])[] = [
  [[2305, 2353, 2551, 2694, 2724], "The schema does not have it any more, or under another name: remove or rename it."],
  [[2339], "The schema does not have it any more, or not in every variant: remove it, or look at the variant first."],
  [[2678], "The schema does not have this variant any more, or under another name: remove or rename the case."],
  [[2739, 2741], "The schema has more now: add it here."],
  [[2578], "The schema allows this now: offer it to those who use the stable part, then remove the directive."],
];

/** For what is not named by its number: such a place takes less than the schema has now. */
const otherAdvice = "The schema has changed what belongs here: take what is new, and leave out what is gone.";

/**
 * The places of code that do not compile, by file, from what the TypeScript compiler prints. Projects that share sources
 * report the same places.
 */
export function findCompileErrors(
  printed: readonly string[],
): readonly (readonly [file: string, left: readonly Left[]])[] {
  const files = new Map<string, Map<string, Left>>();
  for (const [, file = "", row = "", code = "", message = "", reasons = ""] of printed
    .join("\n")
    .replaceAll("\r", "")
    .matchAll(/^(\S.*?)\((\d+),\d+\): error TS(\d+): (.*)((?:\n .*)*)/gm)) {
    const places = files.get(file) ?? new Map<string, Left>();
    // The last of the reasons is about the smallest part of it.
    const reason = reasons.split("\n").at(-1)!.trim();
    const [, what] = advice.find(([numbers]) => numbers.includes(Number(code))) ?? [];
    const skeleton = [...(reason === "" ? [] : [shortened(reason)]), what ?? otherAdvice];
    files.set(file, places.set(`${row}: ${message}`, { what: `Line ${row}: ${shortened(message)}`, skeleton }));
  }
  return [...files].map(([file, places]) => [file, [...places.values()]]);
}

function shortened(message: string): string {
  return message.length <= 200 ? message : `${message.slice(0, 199)}…`;
}
