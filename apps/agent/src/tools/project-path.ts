import { isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The absolute path of a file named by the user: relative to the session's directory, or a `file:` URL. */
export function absolutePath(cwd: string, name: string): string {
  return resolve(cwd, name.startsWith("file://") ? pathOfUrl(name) : name);
}

/** Not every such URL has a path on every system: a host on POSIX, no drive on Windows. There is no such file then. */
function pathOfUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url;
  }
}

/** How to name a file to the user: relative to the session's directory where it is inside. */
export function displayPath(cwd: string, path: string): string {
  return isInside(cwd, path) ? relative(cwd, path).split(sep).join("/") : path;
}

export function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
