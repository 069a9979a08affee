import { resolve } from "node:path";

import type { CommandLine } from "../../workspace/command-line.ts";

/** Creates a function that tells whether a file contains tests. Repairs never change those. */
export function createTestFileCheck({ args }: CommandLine, cwd: string): (path: string) => boolean {
  const filesOfCommand = new Set(args.map((arg) => resolve(cwd, arg)));
  return (path) =>
    filesOfCommand.has(path) || /(?:^|[\\/._-])(?:tests?|spec|__tests__)(?:[\\/._-]|$)/iu.test(path.slice(cwd.length));
}
