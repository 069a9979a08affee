import { hostname } from "node:os";
import { join } from "node:path";
import { type Lock, takeLock } from "@acp/sessions/internal";

/**
 * Takes the lock of a session, whose folder must exist, until it is released or this process ends. Returns the pid of the
 * process that holds it if there is one.
 */
export function lockSession(folder: string): Lock | { readonly heldBy: number } {
  const lock = takeLock(join(folder, "lock"), hostname());
  if ("heldBy" in lock) return lock;
  const release = (): void => {
    process.off("exit", release);
    lock.release();
  };
  process.once("exit", release);
  return { release };
}
