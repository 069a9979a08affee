import { existsSync, readFileSync, statSync } from "node:fs";

import type { ShownFiles } from "@acp/render/session";

/** Larger files are not read, in bytes: this runs while the screen is drawn. */
const maxSize = 2_000_000;

/** Files that did not exist when an agent read them, and read as empty. */
const readAsEmpty = new Set<string>();

/** The files of agents, which run on this machine. */
export const agentFiles: ShownFiles = {
  wasMissing: (path) => readAsEmpty.has(path),
  read(path) {
    try {
      const status = statSync(path);
      // A device may have no end.
      return status.isFile() && status.size <= maxSize ? readFileSync(path, "utf8") : undefined;
    } catch {
      return undefined;
    }
  },
};

/**
 * Returns an empty text for a file that does not exist, since Gemini CLI reads a file before it creates it, and gives up on
 * any error. Returns `undefined` if the file exists.
 */
export function readNewFile(path: string, realPath: string): string | undefined {
  if (existsSync(realPath)) return undefined;
  readAsEmpty.add(path);
  return "";
}
