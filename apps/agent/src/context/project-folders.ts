import { access } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * The folders of a project in which agents look for what is written for them: the working directory, and those above it up to
 * the root of the repository, the nearest first. Outside of a repository it is the working directory alone: nobody knows who
 * has put something into the folders above.
 */
export async function projectFolders(cwd: string): Promise<readonly string[]> {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (await exists(join(folder, ".git"))) return folders;
    if (dirname(folder) === folder) return [cwd];
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
