import { existsSync } from "node:fs";

/** Files that did not exist when an agent read them, and read as empty. */
const readAsEmpty = new Set<string>();

/**
 * Returns an empty text for a file that does not exist, since Gemini CLI reads a file before it creates it, and gives up on
 * any error. Returns `undefined` if the file exists.
 */
export function readNewFile(path: string, realPath: string): string | undefined {
  if (existsSync(realPath)) return undefined;
  readAsEmpty.add(path);
  return "";
}

/** Whether a change creates a file. An agent that read a missing file as empty does not know that it is new. */
export function isNewFile(path: string, oldText: string | null | undefined): boolean {
  return oldText === undefined || oldText === null || (oldText === "" && readAsEmpty.has(path));
}
