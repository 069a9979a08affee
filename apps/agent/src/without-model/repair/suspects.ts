import { resolve } from "node:path";

import type { Failure } from "./failure.ts";
import { findEnclosingFunction, findFunction, type LineRange, maskStringsAndComments } from "./function-ranges.ts";
import { findLocalImports } from "./imports.ts";
import type { CommandLine } from "../../workspace/command-line.ts";

/** A file that may contain the mistake. */
export interface Suspect {
  readonly path: string;
  readonly text: string;
  /** The numbers of its lines with code, the most suspicious first. Counted from 1. */
  readonly lines: readonly number[];
  /** The function that the failing test calls, if that is how the file was found. */
  readonly functionName: string | undefined;
}

/**
 * Finds the files that may have caused a failure: those in the stack trace that are no tests, and those whose functions the
 * failing line of a test calls.
 */
export async function findSuspects(
  { frames }: Failure,
  isTestFile: (path: string) => boolean,
  readText: (path: string) => Promise<string | undefined>,
): Promise<Suspect[]> {
  const suspects = new Map<string, Suspect>();
  for (const { path, line } of frames) {
    if (suspects.has(path)) continue;
    // Reads no file without need: the user sees a tool call for each.
    const text = await readText(path);
    if (text === undefined) continue;
    if (!isTestFile(path)) {
      const lines = rankLines(text, line, findEnclosingFunction(text, line));
      suspects.set(path, { path, text, lines, functionName: undefined });
      continue;
    }
    const called = await findCalledFunctions(text, path, line, isTestFile, readText);
    for (const suspect of called) if (!suspects.has(suspect.path)) suspects.set(suspect.path, suspect);
    if (suspects.size > 0) break;
  }
  return [...suspects.values()];
}

/** Finds the imported functions that a line of a test calls. */
async function findCalledFunctions(
  source: string,
  path: string,
  line: number,
  isTestFile: (path: string) => boolean,
  readText: (path: string) => Promise<string | undefined>,
): Promise<Suspect[]> {
  const lines = maskStringsAndComments(source).split("\n");
  const words = new Set(lines[line - 1]?.match(/[\w$]+/gu));
  const found: Suspect[] = [];
  for (const { names, path: imported } of findLocalImports(source, path).filter((one) => !isTestFile(one.path))) {
    const name = names.find(({ local }) => words.has(local))?.exported;
    if (name === undefined) continue;
    const text = await readText(imported);
    if (text === undefined) continue;
    // A function that is not found may be a re-export, or written in another form.
    const range = findFunction(text, name) ?? findEnclosingFunction(text, 1);
    found.push({ path: imported, text, lines: rankLines(text, range?.from ?? 1, range), functionName: name });
  }
  return found;
}

/** Ranks the lines with code: first `line`, then the other lines of the function in `range`, then the rest of the file. */
function rankLines(text: string, line: number, range: LineRange | undefined): number[] {
  const lines = maskStringsAndComments(text).split("\n");
  const withCode = lines.map((_, index) => index + 1).filter((number) => (lines[number - 1] ?? "").trim() !== "");
  const rank = (number: number): number => {
    if (number === line) return 0;
    return range !== undefined && number >= range.from && number <= range.to ? 1 : 2;
  };
  return withCode.toSorted((a, b) => rank(a) - rank(b) || a - b);
}

/** Creates a function that tells whether a file contains tests. Repairs never change those. */
export function createTestFileCheck({ args }: CommandLine, cwd: string): (path: string) => boolean {
  const filesOfCommand = new Set(args.map((arg) => resolve(cwd, arg)));
  return (path) =>
    filesOfCommand.has(path) || /(?:^|[\\/._-])(?:tests?|spec|__tests__)(?:[\\/._-]|$)/iu.test(path.slice(cwd.length));
}
