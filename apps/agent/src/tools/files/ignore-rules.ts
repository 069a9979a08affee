import { readFile, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";

import ignore, { type Ignore } from "ignore";

/** Directories without files of the user, whatever the rules say. */
const skippedDirectories: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** The rules of one `.gitignore` file. */
interface Layer {
  readonly directory: string;
  readonly rules: Ignore;
}

/** Which files Git ignores in a directory, and with them the tools that look for files. */
export class IgnoreRules {
  readonly #layers: readonly Layer[];

  private constructor(layers: readonly Layer[]) {
    this.#layers = layers;
  }

  /** The rules for a directory: its own, and those above it in the same repository. */
  static async of(directory: string): Promise<IgnoreRules> {
    const above = await directoriesAbove(directory);
    let rules = new IgnoreRules([]);
    for (const one of above) rules = await rules.within(one);
    // Whoever looks into an ignored directory wants to see what is in it.
    return (rules.ignores(directory, true) ? new IgnoreRules([]) : rules).within(directory);
  }

  /** These rules together with those of a directory below. */
  async within(directory: string): Promise<IgnoreRules> {
    const text = await readFile(join(directory, ".gitignore"), "utf8").catch(() => "");
    const lines = text.split(/\r?\n/u).filter((line) => line.trim() !== "" && !isCostly(line));
    if (lines.length === 0) return this;
    return new IgnoreRules([{ directory, rules: ignore().add(lines) }, ...this.#layers]);
  }

  /** Whether a file or directory is ignored. The rules that are nearest to it come first. */
  ignores(path: string, isDirectory: boolean): boolean {
    for (const { directory, rules } of this.#layers) {
      const name = relative(directory, path).split(sep).join("/");
      const { ignored, unignored } = rules.test(isDirectory ? `${name}/` : name);
      if (ignored || unignored) return ignored;
    }
    return isDirectory && skippedDirectories.has(path.slice(path.lastIndexOf(sep) + 1));
  }
}

/** The directories above one, from the top of its Git repository down; none if it is in no repository. */
async function directoriesAbove(directory: string): Promise<readonly string[]> {
  const above: string[] = [];
  for (let current = directory; ; current = dirname(current)) {
    if (current !== directory) above.unshift(current);
    if (await exists(join(current, ".git"))) return above;
    if (dirname(current) === current) return [];
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Rules with many stars in one name become regular expressions that take very long for some names. Nobody writes them in earnest. */
function isCostly(line: string): boolean {
  return line.split("/").some((name) => name.split("*").length > 4);
}
