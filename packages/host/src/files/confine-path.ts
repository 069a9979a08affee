import { errorCode } from "../runtime/error-code.ts";
import { appendName, hasReservedName, isAbsolutePath, isWithin, normalizePath, parentPath } from "../runtime/paths.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { fileError, outsideRoots } from "./file-error.ts";

/** A path inside of the roots. */
export interface ConfinedPath {
  /** The requested path, without `..` and the like. */
  readonly path: string;
  /** Where it leads once symbolic links are followed. */
  readonly realPath: string;
}

/**
 * Finds out where a path leads, and refuses it unless that is inside one of `roots`. It follows links as far as the path
 * exists; the rest cannot lead elsewhere, since `..` is resolved before.
 *
 * Another process can replace a directory by a link afterwards. So open `realPath` by `CheckedFiles`, which notices.
 *
 * `isUnknown`: the session is not open yet, so it has no other roots.
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

  // Following links could ask the user, or log in to a server, for a path that is refused anyway.
  const isCostly =
    runtime.files.mayRead?.(path) === false || (runtime.platform === "windows" && path.startsWith("\\\\"));
  if (isCostly && !(await isNamedInside(runtime, roots, path))) throw outsideRoots(requested, isUnknown);
  const [realPath, realRoots] = await Promise.all([resolveLinks(runtime, path), resolveRoots(runtime, roots)]);
  if (realPath === undefined || !isInside(runtime, realRoots, realPath)) {
    throw outsideRoots(requested, isUnknown);
  }
  return { path, realPath };
}

/** Whether a path is inside by its name, regardless of links. */
async function isNamedInside(runtime: Runtime, roots: readonly string[], path: string): Promise<boolean> {
  const names = roots.map((root) => normalizePath(runtime, root));
  return isInside(runtime, [...names, ...(await resolveRoots(runtime, roots))], path);
}

/** Resolves the links of directories; leaves out those that lead nowhere. */
export async function resolveRoots(runtime: Runtime, roots: readonly string[]): Promise<readonly string[]> {
  const resolved = await Promise.all(roots.map((root) => resolveLinks(runtime, root)));
  return resolved.filter((root) => root !== undefined);
}

/** Whether a path is inside one of the directories; none of them has links. */
export function isInside(runtime: Runtime, realRoots: readonly string[], realPath: string): boolean {
  return realRoots.some((root) => isWithin(runtime, root, realPath));
}

/** Resolves the links of a path; `undefined` if it ends in a link that leads nowhere. */
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
