import type { Path } from "./decoding/index.ts";

/**
 * What a value has to be beyond its type, which the schema does not say: `path` is an absolute path (CONV-02),
 * `command` the absolute path of a program (MCP-07), `line` a line number from 1 (CONV-03).
 */
export type ValueKind = "path" | "command" | "line";

/** A value that is not what its kind demands: the kind, and the path to the value. */
export type InvalidArgument = readonly [kind: ValueKind, ...path: Path];

/** Finds the invalid arguments of a message that was read; `undefined` if there are none. */
export type ArgumentCheck = (message: unknown) => readonly InvalidArgument[] | undefined;

/** Whether a value is a path, and no absolute one. */
export function isRelative(value: unknown): boolean {
  return typeof value === "string" && !isAbsolutePath(value);
}

/**
 * Whether a path is absolute, by the rules of POSIX or of Windows: the peer's machine may be either
 * (CONV-02). `/a`, `C:\a`, `C:/a` and `\\server\share` are; `a`, `./a`, `~/a`, `C:a` and `file:///a` are not.
 */
export function isAbsolutePath(path: string): boolean {
  return typeof path === "string" && /^(?:\/|\\\\|[A-Za-z]:[\\/])/.test(path);
}
