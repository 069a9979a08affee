import { errorCode } from "../runtime/error-code.ts";
import type { FileInfo, Runtime, RuntimeFiles } from "../runtime/runtime.ts";
import { appendName } from "../runtime/paths.ts";

/** How many entries of folders are looked at, all in all. */
const maxEntries = 5_000;

/**
 * Whether one of some files has another name in one of the folders: a hard link, which no path shows. `unknown`: there is more
 * to search than the limit, or it may not be read. Does not search for files with one name.
 */
export async function haveNameIn(
  runtime: Runtime,
  paths: readonly string[],
  folders: readonly string[],
): Promise<"yes" | "no" | "unknown"> {
  const { files } = runtime;
  if (folders.length === 0) return "no";
  const ids = new Set<string>();
  let isUnknown = false;
  for (const path of paths) {
    const info = files.mayRead?.(path) === false ? undefined : await files.linkStat(path).catch(() => undefined);
    if (info?.kind !== "file" || info.links <= 1) continue;
    if (info.id === undefined) isUnknown = true;
    else ids.add(info.id);
  }
  if (ids.size === 0) return isUnknown ? "unknown" : "no";
  // Breadth first: a repository is set up by the files on top, and has many objects below.
  const places = [...folders];
  for (const place of places) {
    try {
      if (files.mayRead?.(place) === false) return "unknown";
      const info = await infoOf(files, place);
      if (info?.kind === "file" && info.id !== undefined && ids.has(info.id)) return "yes";
      const names = info?.kind === "directory" ? await files.list(place) : [];
      const room = Math.max(0, maxEntries - places.length);
      isUnknown ||= names.length > room;
      for (const name of names.slice(0, room)) places.push(appendName(runtime, place, name));
    } catch {
      isUnknown = true;
    }
  }
  return isUnknown ? "unknown" : "no";
}

/** `undefined` for a file that no longer exists. */
async function infoOf(files: RuntimeFiles, path: string): Promise<FileInfo | undefined> {
  try {
    return await files.linkStat(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}
