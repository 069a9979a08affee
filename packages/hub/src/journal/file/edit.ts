import { codeOf, takeLock } from "@acp/sessions/internal";

import type { SessionFiles } from "./folders.ts";

/** How long another process may take for a change, in milliseconds. */
const longestWait = 10_000;

/**
 * Changes files of a session while no other process does. `undefined` if there is no such session.
 *
 * @param change Works at once, so that a change of this process is not in the way of another one.
 */
export async function edit<Result>(files: SessionFiles, change: () => Result): Promise<Result | undefined> {
  for (const start = performance.now(); ;) {
    try {
      const lock = takeLock(files.editLock);
      if ("release" in lock) return runLocked(lock.release, change);
      if (performance.now() - start > longestWait) {
        throw new Error(
          `Process ${lock.heldBy} has been changing the session in ${files.path} for ${longestWait / 1000} s. If it hangs, end it`,
        );
      }
    } catch (error) {
      if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
      throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 1 + 4 * Math.random()));
  }
}

function runLocked<Result>(release: () => void, change: () => Result): Result {
  try {
    return change();
  } finally {
    release();
  }
}
