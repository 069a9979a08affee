import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { isInside } from "../tools/project-path.ts";

/** A place in the project's code that a stack trace names. */
export interface Frame {
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

/** A file with line and column, as V8 writes it: a URL, or a path, perhaps relative. */
const place = /(?:\(|\s|^)((?:file:\/\/|[A-Za-z]:\\|\/|\.{0,2}\/)?[^\s():]*[^\s():]+\.[cm]?[jt]sx?):(\d+)(?::\d+)?/gmu;

/** Reads the output of a test run. */
export function readFailure(output: string, cwd: string): Failure {
  const message = /^\s*(?:\w*Error\b[^\n]*?): (.*(?:\n(?!\s+at ).+|\n\s*(?=\S*\n))*)/mu.exec(output)?.[1]?.trim();
  const frames = new Map<string, Frame>();
  for (const [, file = "", line = ""] of output.matchAll(place)) {
    const path = file.startsWith("file://") ? fileURLToPath(file) : resolve(cwd, file);
    if (!isInside(cwd, path) || path.includes("node_modules")) continue;
    frames.set(`${path}:${line}`, { path, line: Number(line) });
  }
  return { message, frames: [...frames.values()] };
}

/** Whether a file holds tests, going by its name. */
export function isTestFile(path: string): boolean {
  return /(?:^|[\\/._-])(?:tests?|spec|__tests__)(?:[\\/._-]|$)/iu.test(path);
}
