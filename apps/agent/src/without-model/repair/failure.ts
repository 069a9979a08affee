import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { isInside } from "../../workspace/project-path.ts";

/** A line of the project that a stack trace names. */
interface Frame {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
}

/** What the output of failing tests says about the failure. */
export interface Failure {
  /** The message of the first error. */
  readonly message: string | undefined;
  /** The lines of the project in stack traces, in order of appearance, each once. */
  readonly frames: readonly Frame[];
}

/**
 * Escape sequences for colours and links. `stripVTControlCharacters` of Node.js 20 takes quadratic time for some texts.
 */
// oxlint-disable-next-line no-control-regex -- escape sequences begin with a control character
const escapeSequence = /\u001B\[[0-?]*[ -/]*[@-~]|\u001B\]\P{Cc}*(?:\u0007|\u001B\\)/gu;
/**
 * A file and a line as V8 writes them: `/project/a.js:3:7`, `a.js:3` or `file:///project/a.js:3`. A path starts only behind a
 * separator: a match attempt at every character would take quadratic time in a long line.
 */
const sourceLocation = /((?:file:\/\/\/|(?<![^\s():'"`])(?:[A-Za-z]:\\)?)[^\s():'"`]+\.[cm]?[jt]sx?):(\d+)/gu;
const errorLine = /^\s*\w*Error\b[^:]*: (.*)$/su;

/** Parses the output of a test run. Ignores installed packages and files outside the project. */
export function parseFailure(colouredOutput: string, cwd: string): Failure {
  const output = colouredOutput.replaceAll(escapeSequence, "");
  const frames = new Map<string, Frame>();
  for (const [, file = "", line = ""] of output.matchAll(sourceLocation)) {
    const path = toPath(file, cwd);
    if (path === undefined || !isInside(cwd, path) || path.includes("node_modules")) continue;
    frames.set(`${path}:${line}`, { path, line: Number(line) });
  }
  return { message: firstErrorMessage(output), frames: [...frames.values()] };
}

/** The message of the first error, up to its stack trace. It may have several lines. */
function firstErrorMessage(output: string): string | undefined {
  const lines = output.split(/\r?\n/u);
  const first = lines.findIndex((line) => errorLine.test(line));
  if (first === -1) return undefined;
  const rest = lines.slice(first + 1);
  const stack = rest.findIndex((line) => /^\s+at /u.test(line));
  const [, firstLine = ""] = errorLine.exec(lines[first] ?? "") ?? [];
  return [firstLine, ...(stack === -1 ? rest : rest.slice(0, stack))].join("\n").trim();
}

/** Returns `undefined` for a URL that names no file. Tests may print anything. */
function toPath(file: string, cwd: string): string | undefined {
  if (!file.startsWith("file://")) return resolve(cwd, file);
  try {
    return fileURLToPath(file);
  } catch {
    return undefined;
  }
}
