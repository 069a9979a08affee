import { errorCode } from "../runtime/error-code.ts";
import { appendName, hasReservedName, isAbsolutePath, isWithin, normalizePath, parentPath } from "../runtime/paths.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { fileError, outsideRoots } from "./file-error.ts";

/** A path that was found to be inside of the roots. */
export interface ConfinedPath {
  /** As it was asked for, without `..` and the like. */
  readonly path: string;
  /** Where it leads once symbolic links are followed: what to open. */
  readonly realPath: string;
}

/**
 * Finds out where a path leads, and refuses it unless that is inside one of `roots`. Links are followed
 * as far as the path exists; the rest of it cannot lead elsewhere, since `..` is resolved before.
 *
 * This keeps an agent to the directories it was given. It is no sandbox: a process that can replace
 * directories by links at the right moment can get around it.
 *
 * `isUnknown`: the session is not open yet, which is why it has no other roots.
 *
 * @throws {RequestError} `-32602` with `data.reason` `invalid_path` or `outside_roots`.
 */
export async function confinePath(
  runtime: Runtime,
  roots: readonly string[],
  requested: string,
  isUnknown = false,
): Promise<ConfinedPath> {
  if (requested.includes("\0")) throw fileError("invalid_path", requested, "A path cannot contain a NUL");
  if (!isAbsolutePath(runtime, requested))
    throw fileError("invalid_path", requested, `Not an absolute path: ${requested}`);
  const path = normalizePath(runtime, requested);
  if (hasReservedName(runtime, path))
    throw fileError("invalid_path", requested, `Not the path of a file: ${requested}`);

  // To find out where it leads could ask the user, or log in to a server, for what is refused all the same.
  const isCostly =
    runtime.files.mayRead?.(path) === false || (runtime.platform === "windows" && path.startsWith("\\\\"));
  if (isCostly && !(await isNamedInside(runtime, roots, path))) throw outsideRoots(requested, isUnknown);
  const [realPath, realRoots] = await Promise.all([resolveLinks(runtime, path), resolveRoots(runtime, roots)]);
  if (realPath === undefined || !isInside(runtime, realRoots, realPath)) {
    throw outsideRoots(requested, isUnknown);
  }
  return { path, realPath };
}

/** Whether a path is inside by its name, links or no links. */
async function isNamedInside(runtime: Runtime, roots: readonly string[], path: string): Promise<boolean> {
  const names = roots.map((root) => normalizePath(runtime, root));
  return isInside(runtime, [...names, ...(await resolveRoots(runtime, roots))], path);
}

/** Directories without links; those that are links to nowhere are left out. */
export async function resolveRoots(runtime: Runtime, roots: readonly string[]): Promise<readonly string[]> {
  const resolved = await Promise.all(roots.map((root) => resolveLinks(runtime, root)));
  return resolved.filter((root) => root !== undefined);
}

/** Whether a path is inside one of some directories, all of them without links. */
export function isInside(runtime: Runtime, realRoots: readonly string[], realPath: string): boolean {
  return realRoots.some((root) => isWithin(runtime, root, realPath));
}

/** The path without links; `undefined` if it ends in a link that leads nowhere. */
async function resolveLinks(runtime: Runtime, path: string): Promise<string | undefined> {
  const normalized = normalizePath(runtime, path);
  try {
    return normalizePath(runtime, await runtime.files.realPath(normalized));
  } catch (error) {
    if (errorCode(error) !== "ENOENT" && errorCode(error) !== "ENOTDIR") throw error;
  }
  // Writing through a link to nowhere would create its target, wherever that is.
  if (await isLink(runtime, normalized)) return undefined;
  const parent = parentPath(runtime, normalized);
  if (parent === undefined) return normalized;
  const realParent = await resolveLinks(runtime, parent);
  return realParent === undefined ? undefined : appendName(runtime, realParent, normalized);
}

async function isLink(runtime: Runtime, path: string): Promise<boolean> {
  try {
    return (await runtime.files.linkStat(path)).kind === "symlink";
  } catch {
    return false;
  }
}
