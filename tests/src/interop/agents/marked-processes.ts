import { readdirSync, readFileSync } from "node:fs";

import { isAlive } from "../../support/is-alive.ts";

/** The command lines of all processes whose environment contains `mark`. Linux only. */
export function markedProcesses(mark: string): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name) && isAlive(Number(name)))
    .filter((pid) => readProcess(pid, "environ").split("\0").includes(mark))
    .map((pid) => readProcess(pid, "cmdline").replaceAll("\0", " ").trim());
}

/** A file of a process; empty if it has ended meanwhile. */
function readProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
