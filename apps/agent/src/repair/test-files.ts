import { resolve } from "node:path";

import type { CommandLine } from "../tools/command-line.ts";

/** Tells the files with tests from those that are tested, which alone may be changed. */
export function createTestFileCheck({ args }: CommandLine, cwd: string): (path: string) => boolean {
  const named = new Set(args.map((arg) => resolve(cwd, arg)));
  return (path) =>
    named.has(path) || /(?:^|[\\/._-])(?:tests?|spec|__tests__)(?:[\\/._-]|$)/iu.test(path.slice(cwd.length));
}
