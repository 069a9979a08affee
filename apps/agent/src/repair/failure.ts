import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

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

/** A file with line and perhaps column, as V8 writes it: a URL, or a path, perhaps relative. */
const place = /((?:file:\/\/\/|[A-Za-z]:\\)?[^\s():'"`]+\.[cm]?[jt]sx?):(\d+)/gu;
const firstMessage = /^\s*(?:\w*Error\b[^\n:]*): (.*(?:\n(?!\s+at ).+|\n\s*(?=\S*\n))*)/mu;

/** Reads the output of a test run. */
export function readFailure(coloured: string, cwd: string): Failure {
  const output = stripVTControlCharacters(coloured);
  const message = firstMessage.exec(output)?.[1]?.trim();
  const frames = new Map<string, Frame>();
  for (const [, file = "", line = ""] of output.matchAll(place)) {
    const path = file.startsWith("file://") ? fileURLToPath(file) : resolve(cwd, file);
    if (!isInside(cwd, path) || path.includes("node_modules")) continue;
    frames.set(`${path}:${line}`, { path, line: Number(line) });
  }
  return { message, frames: [...frames.values()] };
}
