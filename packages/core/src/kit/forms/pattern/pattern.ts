import { runProgram } from "./match.ts";
import { parsePattern } from "./parse.ts";
import { PatternError } from "./program.ts";
import { StepBudget } from "./step-budget.ts";

/** A regular expression that is evaluated in bounded time, or why it cannot be: `ok` narrows it. */
export type Pattern =
  | {
      readonly ok: true;
      /** Whether a part of the text matches; `undefined` if that would take too many steps to find out. */
      test(text: string): boolean | undefined;
    }
  | {
      readonly ok: false;
      /** Why it cannot be checked. */
      readonly reason: string;
    };

/**
 * Compiles the pattern of a form for matching without backtracking: the time is linear in the text, and the steps are
 * counted (ELIC-33). Never throws.
 *
 * It supports the regular part of ECMAScript's syntax: characters, `.`, classes and escapes (`[a-z]`, `\d`, `\p{L}`),
 * groups, alternatives, the quantifiers `*`, `+`, `?`, `{m}`, `{m,}`, `{m,n}`, greedy or not, `^`, `$`, `\b` and `\B`. It
 * does not support references to groups, looking ahead and behind, flags inside the pattern, patterns that grow beyond
 * 5,000 instructions when their quantifiers are written out, and those that take too long to read.
 */
export function compilePattern(source: string): Pattern {
  return compileWithin(source, () => new StepBudget());
}

/** The same, for one of several patterns: `budget` is asked for when the pattern is read, and for each match. */
export function compileWithin(source: string, budget: () => StepBudget): Pattern {
  try {
    const { program, isUnicode } = parsePattern(source, budget());
    return { ok: true, test: (text) => runProgram(program, isUnicode ? Array.from(text) : text.split(""), budget()) };
  } catch (error) {
    if (error instanceof PatternError) return { ok: false, reason: error.message };
    throw error;
  }
}
