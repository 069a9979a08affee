import { randomBytes } from "node:crypto";
import { closeSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

/** The name of a lock says who holds it: host, process, and when that process started, since pids are used again. */
const lockName = /^lock\.(?<host>[^.]*)\.(?<pid>\d+)\.(?<start>\d+)\.[\da-f]+$/u;

/** A lock that is held. */
export interface SessionLock {
  release(): void;
}

/**
 * Takes the lock of a session, whose folder must exist. Returns the pid of the process that holds it if there is one.
 *
 * Each process makes a file of its own, and then looks for those of others. Of two that do so at once, at least one sees the
 * other, so that two never hold it. A file whose process has ended is removed.
 */
export function lockSession(folder: string): SessionLock | { readonly heldBy: number } {
  const own = `lock.${host()}.${process.pid}.${startOf(process.pid) ?? 0}.${randomBytes(4).toString("hex")}`;
  const path = join(folder, own);
  closeSync(openSync(path, "wx", 0o600));
  const release = (): void => {
    process.off("exit", release);
    rmSync(path, { force: true });
  };
  for (const name of readdirSync(folder)) {
    const { pid, isHeld } = name === own ? {} : holderOf(name);
    if (pid === undefined) continue;
    if (isHeld === true) {
      release();
      return { heldBy: pid };
    }
    rmSync(join(folder, name), { force: true });
  }
  process.once("exit", release);
  return { release };
}

function holderOf(name: string): { readonly pid?: number; readonly isHeld?: boolean } {
  const found = lockName.exec(name)?.groups;
  if (found === undefined) return {};
  const pid = Number(found["pid"]);
  // Nobody can tell from here about a process of another machine.
  if (found["host"] !== host()) return { pid, isHeld: true };
  return { pid, isHeld: isAlive(pid, Number(found["start"])) };
}

function isAlive(pid: number, start: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // It may belong to somebody else.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  const now = startOf(pid);
  return now === undefined || start === 0 || now === start;
}

/** When a process started, in ticks since the start of the system; `undefined` where the system does not tell. */
function startOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // After the name, which may contain anything.
    const start = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
    return Number.isSafeInteger(start) && start > 0 ? start : undefined;
  } catch {
    return undefined;
  }
}

function host(): string {
  return hostname().replaceAll(/[^\w-]/gu, "_");
}
