import { existsSync } from "node:fs";

/** The files that agents have read as empty because they do not exist. */
const readAsEmpty = new Set<string>();

/**
 * What to read from a file that does not exist: nothing. Gemini CLI reads a file before it creates it, and gives up on any
 * error. `undefined`: the file exists.
 */
export function readNewFile(path: string, realPath: string): string | undefined {
  if (existsSync(realPath)) return undefined;
  readAsEmpty.add(path);
  return "";
}

/** Whether a change makes a file. An agent that has read a new file does not know that it did not exist. */
export function isNewFile(path: string, oldText: string | null | undefined): boolean {
  return oldText === undefined || oldText === null || (oldText === "" && readAsEmpty.has(path));
}
