import type { Runtime } from "./runtime.ts";

type PathRules = Pick<Runtime, "platform" | "caseInsensitivePaths">;

/**
 * Whether a path is absolute on this platform (CONV-02). On Windows that is a drive with a root or a UNC share; device
 * paths (`\\.\`, `\\?\`) do not count, since they bypass every other rule.
 */
export function isAbsolutePath({ platform }: PathRules, path: string): boolean {
  if (platform === "posix") return path.startsWith("/");
  return /^[a-z]:[\\/]/iu.test(path) || /^[\\/]{2}[^\\/?.][^\\/]*[\\/]+[^\\/]/u.test(path);
}

/** Normalises an absolute path: no `.`, `..`, doubled and trailing separators. */
export function normalizePath(rules: PathRules, path: string): string {
  const root = rootOf(rules, path);
  const names: string[] = [];
  for (const name of path.slice(root.length).split(separators(rules))) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  const separator = rules.platform === "windows" ? "\\" : "/";
  const base = rules.platform === "windows" ? root.replaceAll("/", "\\") : root;
  return base + names.join(separator);
}

/** Returns the directory of a normalised path, or `undefined` for a root. */
export function parentPath(rules: PathRules, path: string): string | undefined {
  const root = rootOf(rules, path);
  if (path.length <= root.length) return undefined;
  const end = path.lastIndexOf(rules.platform === "windows" ? "\\" : "/");
  return end < root.length ? root : path.slice(0, end);
}

/** Returns the last name of a normalised path, or a name as it is. */
export function lastName({ platform }: PathRules, path: string): string {
  return path.slice(path.lastIndexOf(platform === "windows" ? "\\" : "/") + 1);
}

/** Appends the last name of another path to a normalised path. */
export function appendName(rules: PathRules, directory: string, path: string): string {
  const separator = rules.platform === "windows" ? "\\" : "/";
  const name = lastName(rules, path);
  return directory.endsWith(separator) ? directory + name : directory + separator + name;
}

/** Whether two normalised paths are the same where they are used. */
export function isSamePath(rules: PathRules, one: string, other: string): boolean {
  return fold(rules, one) === fold(rules, other);
}

/** Whether a normalised path is `directory` or inside it. */
export function isWithin(rules: PathRules, directory: string, path: string): boolean {
  const separator = rules.platform === "windows" ? "\\" : "/";
  const outer = fold(rules, directory);
  const inner = fold(rules, path);
  return inner === outer || inner.startsWith(outer.endsWith(separator) ? outer : outer + separator);
}

/**
 * Whether a name in a Windows path cannot name a file: an alternate stream (`a.txt:b`), a device (`NUL`), or one that
 * Windows would silently change (`a.txt.`). Always `false` elsewhere.
 */
export function hasReservedName(rules: PathRules, path: string): boolean {
  if (rules.platform === "posix") return false;
  const names = path.slice(rootOf(rules, path).length).split("\\");
  return names.some((name) =>
    /[:*?"<>|]|[. ]$|^(?:con|prn|aux|nul|con(?:in|out)\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)/iu.test(name),
  );
}

function rootOf({ platform }: PathRules, path: string): string {
  if (platform === "posix") return "/";
  const root = /^(?:[a-z]:[\\/]|[\\/]{2}[^\\/]+[\\/]+[^\\/]+[\\/]?)/iu.exec(path);
  return root === null ? "" : root[0];
}

function separators({ platform }: PathRules): RegExp {
  return platform === "windows" ? /[\\/]+/u : /\/+/u;
}

function fold({ caseInsensitivePaths }: PathRules, path: string): string {
  return caseInsensitivePaths ? path.normalize("NFC").toLowerCase() : path;
}
