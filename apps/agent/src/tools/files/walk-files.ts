import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { IgnoreRules } from "./ignore-rules.ts";

/** A file or directory in a directory. */
export interface Entry {
  readonly name: string;
  readonly path: string;
  readonly isDirectory: boolean;
}

/** What is in a directory and not ignored, sorted by name. Links are left out: they may lead out of the session. */
export async function listEntries(directory: string, rules: IgnoreRules): Promise<Entry[]> {
  const found = await readdir(directory, { withFileTypes: true });
  return found
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => ({ name: entry.name, path: join(directory, entry.name), isDirectory: entry.isDirectory() }))
    .filter(({ path, isDirectory }) => !rules.ignores(path, isDirectory))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The paths of all files below a directory that are not ignored, sorted. */
export async function* walkFiles(directory: string, signal: AbortSignal): AsyncGenerator<string> {
  yield* walk(directory, await IgnoreRules.of(directory), signal);
}

async function* walk(directory: string, rules: IgnoreRules, signal: AbortSignal): AsyncGenerator<string> {
  signal.throwIfAborted();
  // A directory that cannot be read, or is gone by now, has nothing to show.
  for (const { path, isDirectory } of await listEntries(directory, rules).catch(() => [])) {
    if (isDirectory) yield* walk(path, await rules.within(path), signal);
    else yield path;
  }
}
