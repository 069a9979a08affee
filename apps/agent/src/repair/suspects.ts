import type { Failure } from "./failure.ts";
import { localImports } from "./imports.ts";
import { maskStringsAndComments } from "./mask-code.ts";

/** A file in which the mistake may be, and its lines, the most suspicious first. */
export interface Suspect {
  readonly path: string;
  readonly text: string;
  /** Line numbers, from 1. */
  readonly lines: readonly number[];
  /** The function that is looked at first, if there is one. */
  readonly functionName: string | undefined;
}

/**
 * Follows a failure to the code that may have caused it: the places in the stack that are no tests, then the
 * functions that the failing lines of tests call.
 */
export async function findSuspects(
  { frames }: Failure,
  isTestFile: (path: string) => boolean,
  readText: (path: string) => Promise<string | undefined>,
): Promise<Suspect[]> {
  const suspects = new Map<string, Suspect>();
  for (const { path, line } of frames) {
    if (suspects.has(path)) continue;
    // One after another: the user sees every file that is read.
    const text = await readText(path);
    if (text === undefined) continue;
    if (!isTestFile(path)) {
      suspects.set(path, { path, text, lines: linesFrom(text, line), functionName: undefined });
      continue;
    }
    const called = await calledFrom(text, path, line, isTestFile, readText);
    for (const suspect of called) if (!suspects.has(suspect.path)) suspects.set(suspect.path, suspect);
    if (suspects.size > 0) break;
  }
  return [...suspects.values()];
}

/** The functions that a line of a test calls, in the files it imports them from. */
async function calledFrom(
  source: string,
  path: string,
  line: number,
  isTestFile: (path: string) => boolean,
  readText: (path: string) => Promise<string | undefined>,
): Promise<Suspect[]> {
  const lines = maskStringsAndComments(source).split("\n");
  const words = new Set(lines[line - 1]?.match(/[\w$]+/gu));
  const found: Suspect[] = [];
  for (const { names, path: imported } of localImports(source, path).filter((one) => !isTestFile(one.path))) {
    const name = names.find(({ local }) => words.has(local))?.exported;
    if (name === undefined) continue;
    const text = await readText(imported);
    if (text === undefined) continue;
    const range = functionRange(text, name);
    found.push({ path: imported, text, lines: linesFrom(text, range?.from ?? 1, range), functionName: name });
  }
  return found;
}

/** All lines with code, those of the function around `line` first. */
function linesFrom(text: string, line: number, range: LineRange | undefined = enclosingFunction(text, line)): number[] {
  const lines = maskStringsAndComments(text).split("\n");
  const withCode = lines.map((_, index) => index + 1).filter((number) => (lines[number - 1] ?? "").trim() !== "");
  const rank = (number: number): number => {
    if (range !== undefined && number >= range.from && number <= range.to) return number === line ? 0 : 1;
    return number === line ? 0 : 2;
  };
  return withCode.toSorted((a, b) => rank(a) - rank(b) || a - b);
}

interface LineRange {
  readonly from: number;
  readonly to: number;
}

/**
 * `function name(`, `const name = (a) =>`, `const name = function`, and methods. What a line begins with ends with it: to look
 * for more in all that is masked behind each line would take the square of a long template or comment.
 */
const definition =
  /\bfunction\s*\*?\s*([\w$]+)\s*\(|\b(?:const|let|var)\s+([\w$]+)\s*=\s*(?:async\s+)?(?:function\b|[\w$]+\s*=>|\([^()]*\)\s*=>)|^[ \t]*(?:async\s+|static\s+)*(?!(?:if|for|while|switch|catch)\b)([\w$]+)\s*\([^()]*\)\s*\{/gmu;

/** The lines of a function or method of this name. */
function functionRange(text: string, name: string): LineRange | undefined {
  return functionRanges(text).find((one) => one.name === name);
}

function enclosingFunction(text: string, line: number): LineRange | undefined {
  return functionRanges(text).findLast(({ from, to }) => from <= line && line <= to);
}

function functionRanges(text: string): (LineRange & { readonly name: string })[] {
  const code = maskStringsAndComments(text);
  const lines = lineNumbers(code);
  return [...code.matchAll(definition)].map((match) => {
    const from = lines[match.index + match[0].search(/\S/u)]!;
    return { name: match[1] ?? match[2] ?? match[3] ?? "", from, to: lines[functionEnd(code, match.index)]! };
  });
}

/** Where a function ends that begins at `start`: with its block, or with its expression. */
function functionEnd(code: string, start: number): number {
  let depth = 0;
  for (let at = start; at < code.length; at++) {
    const character = code[at] ?? "";
    if ("([{".includes(character)) depth += 1;
    if (")]}".includes(character)) depth -= 1;
    if (depth <= 0 && (character === "}" || character === ";")) return at;
  }
  return code.length;
}

/** The line of each place in a text, its end included. */
function lineNumbers(code: string): Uint32Array {
  const lines = new Uint32Array(code.length + 1);
  let line = 1;
  for (let at = 0; at <= code.length; at++) {
    lines[at] = line;
    if (code[at] === "\n") line += 1;
  }
  return lines;
}
