import { link, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { uptime } from "node:os";
import process from "node:process";

import { RequestError } from "@acp/core";
import { randomId } from "@acp/core/internal";

/** How long a process may take from making a lock to writing its id into it, in milliseconds. */
const writeTime = 5000;

/** Releases a lock. */
export type Release = () => Promise<void>;

/**
 * Takes the lock of a session for this process: a file that names the process. The lock of a process that has ended, however,
 * is no lock any more.
 *
 * @throws {RequestError} another process has it.
 */
export async function takeLock(path: string, sessionId: string): Promise<Release> {
  for (;;) {
    if (await tryToTake(path)) return () => rm(path, { force: true });
    const holder = await readHolder(path);
    if (holder === undefined) continue;
    if (holder.isAlive) {
      const message = `The session is open in another process (${holder.pid}). Close it there, then try again.`;
      throw RequestError.internalError(message, { sessionId });
    }
    await removeStale(path, holder.text);
  }
}

async function tryToTake(path: string): Promise<boolean> {
  try {
    await writeFile(path, `${process.pid} ${await startOf(process.pid)}`, { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // A full disk takes the file, and not what is in it.
    if (codeOf(error) === "ENOSPC" || codeOf(error) === "EDQUOT") await rm(path, { force: true });
    throw error;
  }
}

interface Holder {
  readonly text: string;
  readonly pid: number;
  readonly isAlive: boolean;
}

/** Who has the lock; `undefined` if it was released meanwhile. */
async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const text = await readFile(path, "utf8");
    const { mtimeMs } = await stat(path);
    const [pid, start] = [Number.parseInt(text, 10), text.split(" ")[1] ?? ""];
    if (text === "") return { text, pid, isAlive: Date.now() - mtimeMs < writeTime };
    // Ids of processes begin anew when the machine does.
    const hasRestarted = mtimeMs < Date.now() - uptime() * 1000 - writeTime;
    return { text, pid, isAlive: !hasRestarted && isRunning(pid) && (start === "" || (await startOf(pid)) === start) };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Removes a lock, unless another process has replaced it meanwhile. */
async function removeStale(path: string, text: string): Promise<void> {
  const aside = `${path}.${randomId()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  // Put back what was a lock after all. Nobody else can have taken it for longer than this takes.
  if ((await readFile(aside, "utf8")) !== text) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}

/**
 * When a process was started, as Linux counts it; empty where nobody says so. It tells apart processes with the same id: in a
 * container that is started again, all have the ids that they had before.
 */
async function startOf(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
  // Behind the name of the program, which may have spaces and parentheses in it.
  return status.slice(status.lastIndexOf(")") + 2).split(" ")[19] ?? "";
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

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
