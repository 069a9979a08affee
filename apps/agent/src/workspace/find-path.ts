import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { absolutePath, isInside } from "./project-path.ts";
import type { Workspace } from "./workspace.ts";

/**
 * The absolute path of what the model calls a file or directory, which need not exist.
 *
 * @throws {Error} it is outside of the directories of the session, perhaps by way of a link.
 */
export async function findPath(
  { cwd, directories }: Pick<Workspace, "cwd" | "directories">,
  name: string,
): Promise<string> {
  if (name.includes("\0")) throw new Error("A path cannot contain a NUL character.");
  const path = absolutePath(cwd, name);
  const [real, roots] = await Promise.all([followLinks(path), Promise.all(directories.map(followLinks))]);
  if (roots.some((root) => root === real || isInside(root, real))) return path;
  throw new Error(`${name} is outside of this session. Its directories are: ${directories.join(", ")}`);
}

/** Follows the links of a path as far as it exists. */
export async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await followLinks(parent), basename(path));
  }
}
