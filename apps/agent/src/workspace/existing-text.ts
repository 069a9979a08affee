import { access } from "node:fs/promises";

import { RequestError } from "@acp/core";
import { isNotFound } from "@acp/core/agent";

/** Reads a text file that may not exist: then it resolves with `undefined`. */
export async function existingText(
  readText: (path: string) => Promise<string>,
  path: string,
): Promise<string | undefined> {
  try {
    return await readText(path);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    // Some clients answer with an internal error if the file does not exist.
    if (error instanceof RequestError && !(await isOnDisk(path))) return undefined;
    throw error;
  }
}

/** Whether there is such a file or directory on this machine. */
export function isOnDisk(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
