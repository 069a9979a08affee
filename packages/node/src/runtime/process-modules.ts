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
 *
 * Not by `import`, if there is another way: code that its host evaluates, such as a plugin in a window of Electron, has
 * none, or that of a page. Before Node 20.16 there is no other way.
 */
export async function loadProcessModules(): Promise<ProcessModules> {
  const children = process.getBuiltinModule?.("node:child_process") ?? (await import("node:child_process"));
  const files = process.getBuiltinModule?.("node:fs") ?? (await import("node:fs"));
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
