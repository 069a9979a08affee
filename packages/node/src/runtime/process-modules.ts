import type { spawn, spawnSync } from "node:child_process";
import type { readdirSync, readFileSync } from "node:fs";

/** The modules of Node that only the supervision of processes needs. */
export interface ProcessModules {
  readonly spawn: typeof spawn;
  readonly spawnSync: typeof spawnSync;
  readonly readdirSync: typeof readdirSync;
  readonly readFileSync: typeof readFileSync;
}

let modules: ProcessModules | undefined;

/**
 * Loads them, before the first process is started. Loading them along with this package would slow down agents that only
 * serve.
 *
 * Not by `import` if there is another way: code that its host evaluates, such as a plugin in a window of Electron, has
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

/** Returns the loaded modules, for callers that cannot wait. Throws before the first process was started. */
export function processModules(): ProcessModules {
  if (modules === undefined) throw new Error("No process was started yet");
  return modules;
}
