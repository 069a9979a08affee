import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** How many folders above a program its package may be. */
const depthLimit = 4;

/** The npm package that a program belongs to, without running it; `undefined` if it is in none. */
export function packageOf(program: string): { readonly name: string; readonly version: string } | undefined {
  try {
    let folder = dirname(realpathSync(program));
    for (let depth = 0; depth < depthLimit; depth += 1, folder = dirname(folder)) {
      const file = join(folder, "package.json");
      if (!existsSync(file)) continue;
      const { name, version } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
      // A file without a name only says what kind of modules there are.
      if (typeof name === "string" && typeof version === "string") return { name, version };
    }
  } catch {
    // Then it is not known.
  }
  return undefined;
}
