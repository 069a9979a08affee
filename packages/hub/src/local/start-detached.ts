import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import process from "node:process";
import { separateEnvironment } from "@acp/host";

/** The variables of this process, for programs that belong to nobody else: see `separateEnvironment`. */
export function ownEnvironment(): Readonly<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value;
  return separateEnvironment(env);
}

/** Starts a program that outlives this process. */
export function startDetached([command, ...args]: readonly [string, ...string[]], stdio: StdioOptions): ChildProcess {
  const child = spawn(command, args, { detached: true, stdio, env: ownEnvironment(), windowsHide: true });
  child.unref();
  return child;
}
