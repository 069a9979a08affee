import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Directories without files of the user. */
export const skippedDirectories: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** Lists all files below a directory, sorted by name. It does not follow links, which may lead outside (SESS-21). */
export async function* listFiles(directory: string): AsyncGenerator<string> {
  const entries = await readdir(directory, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(directory, entry.name);
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && !skippedDirectories.has(entry.name)) yield* listFiles(path);
  }
}
