import { matchFrom, StepBudget } from "./match.ts";
import { parsePattern } from "./parse.ts";
import { PatternError } from "./states.ts";

/** A regular expression that matches in bounded time, or why it cannot: `ok` narrows it. */
export type Pattern =
  /** `test` tells whether a part of the text matches; `undefined` if that would take too many steps to find out. */
  | { readonly ok: true; test(text: string): boolean | undefined }
  /** `reason` says why the pattern cannot be checked. */
  | { readonly ok: false; readonly reason: string };

/**
 * Compiles the pattern of a form for matching without backtracking: the time is linear in the text, and the steps are
 * limited (ELIC-33). Never throws.
 *
 * It supports the regular part of ECMAScript's syntax: characters, `.`, classes and escapes (`[a-z]`, `\d`, `\p{L}`),
 * groups, alternatives, the quantifiers `*`, `+`, `?`, `{m}`, `{m,}`, `{m,n}`, greedy or not, `^`, `$`, `\b` and `\B`. It
 * does not support references to groups, looking ahead and behind, flags inside the pattern, patterns that grow beyond
 * 5,000 states when their quantifiers are written out, and those that take too long to read.
 */
export function compilePattern(source: string): Pattern {
  if (typeof source !== "string") return { ok: false, reason: "it is no text" };
  return compileWithin(source, () => new StepBudget());
}

/** The same for one of several patterns: `getBudget` is called when the pattern is read, and for each match. */
export function compileWithin(source: string, getBudget: () => StepBudget): Pattern {
  try {
    const { start, isUnicode } = parsePattern(source, getBudget());
    const unitsOf = (text: string): readonly string[] => (isUnicode ? Array.from(text) : text.split(""));
    // Without types it may be anything.
    return { ok: true, test: (text: unknown) => matchFrom(start, unitsOf(String(text)), getBudget()) };
  } catch (error) {
    if (error instanceof PatternError) return { ok: false, reason: error.message };
    throw error;
  }
}
