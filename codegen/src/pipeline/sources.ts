import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The files of a repository, by their paths in it. */
export interface Sources {
  read(path: string): Promise<string>;
  /** The names in a folder, in order. */
  list(folder: string): Promise<readonly string[]>;
}

/** The files under `root`, with changes to some of them that nobody has written yet. */
export function sourcesOf(root: string, changes: ReadonlyMap<string, string> = new Map()): Sources {
  return {
    read: async (path) => changes.get(path) ?? (await readFile(join(root, path), "utf8")),
    list: async (folder) => (await readdir(join(root, folder))).toSorted(),
  };
}
