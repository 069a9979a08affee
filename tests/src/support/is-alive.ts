import { readFileSync } from "node:fs";
import process from "node:process";

/** Whether a process runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== "linux") return true;
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "latin1");
    return !/^[ZX]/u.test(status.slice(status.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}
