import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { isInside } from "../tools/project-path.ts";

/** A place in the project's code that a stack trace names. */
interface Frame {
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

/** What the output of failing tests tells. */
export interface Failure {
  /** The message of the first error. */
  readonly message: string | undefined;
  /** The project's places in the stack traces, the innermost first, without repetitions. */
  readonly frames: readonly Frame[];
}

/** Colours, and links as terminals have them. `stripVTControlCharacters` of Node 20 takes the square of some texts. */
// oxlint-disable-next-line no-control-regex -- that is what it is about
const escapes = /\u001B\[[0-?]*[ -/]*[@-~]|\u001B\]\P{Cc}*(?:\u0007|\u001B\\)/gu;
/**
 * A file with line and perhaps column, as V8 writes it: a URL, or a path, perhaps relative. It begins behind a break, since
 * to begin anew at each character takes the square of a long line.
 */
const place = /((?:file:\/\/\/|(?<![^\s():'"`])(?:[A-Za-z]:\\)?)[^\s():'"`]+\.[cm]?[jt]sx?):(\d+)/gu;
const errorLine = /^\s*\w*Error\b[^:]*: (.*)$/su;

/** Reads the output of a test run. */
export function readFailure(coloured: string, cwd: string): Failure {
  const output = coloured.replaceAll(escapes, "");
  const frames = new Map<string, Frame>();
  for (const [, file = "", line = ""] of output.matchAll(place)) {
    const path = pathOf(file, cwd);
    if (path === undefined || !isInside(cwd, path) || path.includes("node_modules")) continue;
    frames.set(`${path}:${line}`, { path, line: Number(line) });
  }
  return { message: firstMessage(output), frames: [...frames.values()] };
}

/** What the first error says, as far as its stack. */
function firstMessage(output: string): string | undefined {
  const lines = output.split(/\r?\n/u);
  const first = lines.findIndex((line) => errorLine.test(line));
  if (first === -1) return undefined;
  const rest = lines.slice(first + 1);
  const stack = rest.findIndex((line) => /^\s+at /u.test(line));
  const [, beginning = ""] = errorLine.exec(lines[first] ?? "") ?? [];
  return [beginning, ...(stack === -1 ? rest : rest.slice(0, stack))].join("\n").trim();
}

function pathOf(file: string, cwd: string): string | undefined {
  if (!file.startsWith("file://")) return resolve(cwd, file);
  try {
    return fileURLToPath(file);
  } catch {
    // It names no file: a test may print anything.
    return undefined;
  }
}
