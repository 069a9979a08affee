import { relative, sep } from "node:path";
import picomatch from "picomatch";

import { LineMatcher } from "./line-matcher.ts";
import { walkFiles } from "./walk-files.ts";

/** How many files are looked at: more than that are no project, but a disk. */
const maxFiles = 200_000;

/**
 * The names of the files below a directory, relative to it, sorted; those that a glob matches, if one is given.
 *
 * @throws {Error} there are too many files, or the glob takes too long.
 */
export async function findFiles(directory: string, glob: string | undefined, signal: AbortSignal): Promise<string[]> {
  const names: string[] = [];
  for await (const path of walkFiles(directory, signal)) {
    const name = relative(directory, path).split(sep).join("/");
    // Names are matched as lines.
    if (!/[\r\n]/u.test(name)) names.push(name);
    if (names.length > maxFiles) throw new Error(`There are more than ${maxFiles} files. Choose a folder below.`);
  }
  if (glob === undefined || names.length === 0) return names;
  const matcher = new LineMatcher(globToRegExp(glob));
  try {
    const matches = await matcher.match(names.join("\n"), Infinity, signal);
    return matches.map(({ line }) => names[line]).filter((name) => name !== undefined);
  } finally {
    await matcher.close();
  }
}

/**
 * A regular expression for paths that match a glob, with `/` between names. A glob without `/` is about the name of a file,
 * wherever it is, as in `.gitignore`.
 *
 * @throws {Error} it is too long.
 */
function globToRegExp(glob: string): RegExp {
  const anywhere = glob.includes("/") ? glob.replace(/^\.?\//u, "") : `**/${glob}`;
  return picomatch.makeRe(anywhere, { dot: true });
}
