import { readdirSync } from "node:fs";
import { resolve } from "node:path";

import { UsageError } from "../options/options.ts";

/** The tarballs of the toolkit in a folder, by the names of their packages. @throws {UsageError} if there are none. */
export function findTarballs(folder: string, cwd: string): ReadonlyMap<string, string> {
  const path = resolve(cwd, folder);
  const found = new Map<string, string>();
  for (const file of list(path)) {
    const name = /^acp-(.+)-\d+\.\d+\.\d+.*\.tgz$/u.exec(file)?.[1];
    if (name !== undefined) found.set(`@acp/${name}`, resolve(path, file).replaceAll("\\", "/"));
  }
  if (found.size === 0) throw new UsageError(`${path} has no tarballs of the toolkit. \`npm run pack\` writes them.`);
  return found;
}

function list(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
