import type { spawn, spawnSync } from "node:child_process";
import type { readdirSync, readFileSync } from "node:fs";

/** What of Node only the supervision of processes needs. */
export interface ProcessModules {
  readonly spawn: typeof spawn;
  readonly spawnSync: typeof spawnSync;
  readonly readdirSync: typeof readdirSync;
  readonly readFileSync: typeof readFileSync;
}

let modules: ProcessModules | undefined;

/**
 * Loads them, before the first process is started. To load them along with this package would take a fifth of the time
 * that it takes to load this package and the core, and agents that only serve do without.
 */
export async function loadProcessModules(): Promise<ProcessModules> {
  const [children, files] = await Promise.all([import("node:child_process"), import("node:fs")]);
  modules ??= {
    spawn: children.spawn,
    spawnSync: children.spawnSync,
    readdirSync: files.readdirSync,
    readFileSync: files.readFileSync,
  };
  return modules;
}

/** What was loaded, for those who cannot wait. Throws if nothing was: where no process was started there is none to look after. */
export function processModules(): ProcessModules {
  if (modules === undefined) throw new Error("No process was started yet");
  return modules;
}
