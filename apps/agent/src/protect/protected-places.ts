import { lstat, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";

import { followLinks } from "../workspace/find-path.ts";
import { isInside } from "../workspace/project-path.ts";
import { placesInSettings } from "./git-settings.ts";
import { isProtectedName } from "./protected-names.ts";

/**
 * Whether a file is protected: the user is asked before the agent changes it, in every mode. It is, if the path or the place
 * that it leads to has a protected name; if it is in the folder of a repository, whatever that is called; if it has several
 * names, of which another one could be protected; or if nobody can tell where it leads.
 */
export async function isProtectedPlace(path: string): Promise<boolean> {
  if (isProtectedName(path)) return true;
  const real = await followLinks(path);
  if (isProtectedName(real) || (await hasOtherNames(real))) return true;
  for (const place of [...foldersAbove(path), path]) if (await leadsNowhere(place)) return true;
  for (const folder of foldersAbove(real)) {
    if (await isRepository(folder)) return true;
    // The rest above does not concern the files of a worktree, which may be in the folder of its repository.
    if (await exists(join(folder, ".git"))) return isNamedBySettings(folder, real);
  }
  return false;
}

async function isNamedBySettings(worktree: string, real: string): Promise<boolean> {
  const places = await Promise.all((await placesInSettings(worktree)).map(followLinks));
  return places.some((place) => place === real || isInside(place, real));
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function foldersAbove(path: string): string[] {
  const above: string[] = [];
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) above.push(folder);
  return above;
}

async function hasOtherNames(path: string): Promise<boolean> {
  const info = await lstat(path).catch(() => undefined);
  return info?.isFile() === true && info.nlink > 1;
}

/** Whether it is a link to what does not exist: writing to it would create that. */
async function leadsNowhere(path: string): Promise<boolean> {
  const info = await lstat(path).catch(() => undefined);
  if (info?.isSymbolicLink() !== true) return false;
  return realpath(path).then(
    () => false,
    () => true,
  );
}

/** Git looks for these itself. Those of a worktree have the rest elsewhere. */
async function isRepository(folder: string): Promise<boolean> {
  const has = (name: string): Promise<boolean> => exists(join(folder, name));
  return (await has("HEAD")) && ((await has("commondir")) || ((await has("objects")) && (await has("refs"))));
}
