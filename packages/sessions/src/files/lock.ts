import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import process from "node:process";

import { codeOf } from "./code-of.ts";

/** How long a process may take from making a lock to writing its id into it, in milliseconds. */
const writeTime = 5000;

/** A lock that this process holds. */
export interface Lock {
  release(): void;
}

/**
 * Takes a lock for this process: a file that names the process. The lock of a process that has ended, however, is no lock any
 * more. Returns the id of the process that holds it if there is one.
 *
 * @param host The name of this machine, where several may share the folder: the lock of a process of another machine counts,
 *   since nobody can find out from here about that process. A container that is started again may have a new name.
 */
export function takeLock(path: string, host = ""): Lock | { readonly heldBy: number } {
  for (;;) {
    if (tryToTake(path, host)) return { release: () => rmSync(path, { force: true }) };
    const holder = readHolder(path, host);
    if (holder?.isAlive === true) return { heldBy: holder.pid };
    if (holder !== undefined) removeStale(path, holder.text);
  }
}

function tryToTake(path: string, host: string): boolean {
  try {
    writeFileSync(path, `${process.pid} ${startOf(process.pid)} ${host}`, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // A full disk takes the file, and not what is in it.
    if (codeOf(error) === "ENOSPC" || codeOf(error) === "EDQUOT") rmSync(path, { force: true });
    throw error;
  }
}

interface Holder {
  readonly text: string;
  readonly pid: number;
  readonly isAlive: boolean;
}

/** Who has the lock; `undefined` if it was released meanwhile. */
function readHolder(path: string, host: string): Holder | undefined {
  try {
    const text = readFileSync(path, "utf8");
    const { mtimeMs } = statSync(path);
    const [id = "", start = "", itsHost = host] = text.split(" ");
    const pid = Number.parseInt(id, 10);
    if (text === "") return { text, pid, isAlive: Date.now() - mtimeMs < writeTime };
    if (itsHost !== host) return { text, pid, isAlive: true };
    // Ids of processes begin anew when the machine does.
    const hasRestarted = mtimeMs < Date.now() - uptime() * 1000 - writeTime;
    return { text, pid, isAlive: !hasRestarted && isRunning(pid) && (start === "" || startOf(pid) === start) };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Removes a lock, unless another process has replaced it meanwhile. */
function removeStale(path: string, text: string): void {
  const aside = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  // Put back what was a lock after all. Nobody else can have taken it for longer than this takes.
  if (readFileSync(aside, "utf8") !== text) putBack(aside, path);
  rmSync(aside, { force: true });
}

function putBack(aside: string, path: string): void {
  try {
    linkSync(aside, path);
  } catch {
    // There is another one already.
  }
}

/**
 * When a process was started, as Linux counts it; empty where nobody says so. It tells apart processes with the same id: in a
 * container that is started again, all have the ids that they had before.
 */
function startOf(pid: number): string {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "latin1");
    // Behind the name of the program, which may have spaces and parentheses in it.
    return status.slice(status.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs, but belongs to somebody else.
    return codeOf(error) === "EPERM";
  }
}
