import { runProgram } from "./match.ts";
import { parsePattern } from "./parse.ts";
import { PatternError } from "./program.ts";

/** A regular expression that is evaluated in bounded time, or why it cannot be. */
export type Pattern =
  | {
      readonly ok: true;
      /** Whether a part of the text matches; `undefined` if that would take too many steps to find out. */
      test(text: string): boolean | undefined;
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Compiles the pattern of a form for matching without backtracking: the time is linear in the text, and the
 * steps are counted (ELIC-33).
 *
 * Supported is what is regular in ECMAScript's syntax: characters, `.`, classes and escapes (`[a-z]`, `\d`,
 * `\p{L}`), groups, alternatives, the quantifiers `*`, `+`, `?`, `{m}`, `{m,}`, `{m,n}`, greedy or not, `^`, `$`, `\b`
 * and `\B`. Not supported are references to groups, looking ahead and behind, and flags inside the pattern;
 * nor patterns that grow beyond 5,000 instructions when their quantifiers are written out.
 */
export function compilePattern(source: string): Pattern {
  try {
    const { program, isUnicode } = parsePattern(source);
    return { ok: true, test: (text) => runProgram(program, isUnicode ? Array.from(text) : text.split("")) };
  } catch (error) {
    if (error instanceof PatternError) return { ok: false, reason: error.message };
    throw error;
  }
}
