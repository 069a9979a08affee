/**
 * A path as it is shown: relative to the working directory if it is inside. One with `.` or `..` in it stays as it is, so that
 * nobody takes it for a path inside. For paths of Windows, too, whatever this runs on.
 */
export function pathIn(cwd: string, path: string): string {
  const base = withSlashes(cwd).replace(/\/$/u, "");
  const shown = withSlashes(path);
  if (cwd === "" || !shown.startsWith(`${base}/`)) return path;
  const rest = shown.slice(base.length + 1);
  return rest === "" || /(?:^|\/)(?:\.{0,2}\/|\.{1,2}$)/u.test(rest) ? path : rest;
}

/** The part of a file's name that says what is in it, in lower case and without the dot; empty if there is none. */
export function extensionOf(path: string): string {
  return /[^/\\]\.([^./\\]+)$/u.exec(path)?.[1]?.toLowerCase() ?? "";
}

/** A path of Windows with slashes, and with the letter of its drive in upper case; others stay as they are. */
function withSlashes(path: string): string {
  return /^(?:[a-z]:[\\/]|\\\\)/iu.test(path)
    ? path.replaceAll("\\", "/").replace(/^[a-z]/u, (drive) => drive.toUpperCase())
    : path;
}
