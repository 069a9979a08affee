import process from "node:process";

import { commandOn as tested, isRuntimeName, type RuntimeName as Tested } from "@acp/tests/runtimes";

/** `node` is the Node that runs the benchmark. */
export type RuntimeName = Tested | "node";

export function isRuntime(name: string): name is RuntimeName {
  return name === "node" || isRuntimeName(name);
}

/** The command line of a program on a runtime. */
export function commandOn(name: RuntimeName, file: string, args: readonly string[]): readonly string[] {
  if (name === "node") return [process.execPath, file, ...args];
  const { command, args: all } = tested(name, file, args);
  return [command, ...all];
}
