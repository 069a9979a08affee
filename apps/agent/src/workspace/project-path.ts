import { isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Resolves what the user calls a file: a path, relative to the session's directory or absolute, or a `file:` URL. */
export function absolutePath(cwd: string, name: string): string {
  return resolve(cwd, name.startsWith("file://") ? urlToPath(name) : name);
}

/** Some URLs name no path on this system: with a host on POSIX, without a drive on Windows. Then the URL serves as a file name that does not exist. */
function urlToPath(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url;
  }
}

/** Formats a path for the user: relative to the session's directory if it is inside. */
export function displayPath(cwd: string, path: string): string {
  return isInside(cwd, path) ? relative(cwd, path).split(sep).join("/") : path;
}

/** Whether a path lies below a directory. The directory itself does not. */
export function isInside(directory: string, path: string): boolean {
  const fromDirectory = relative(directory, path);
  const isOutside = fromDirectory === ".." || fromDirectory.startsWith(`..${sep}`) || isAbsolute(fromDirectory);
  return fromDirectory !== "" && !isOutside;
}
