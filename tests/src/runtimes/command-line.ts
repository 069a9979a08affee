import { process } from "./platform.ts";
import { isRuntimeName, type RuntimeName } from "../support/runtimes.ts";

/** The value behind `--name` on the command line. */
export function argument(name: string): string {
  const value = process.argv[process.argv.indexOf(`--${name}`) + 1];
  if (!process.argv.includes(`--${name}`) || value === undefined) throw new Error(`--${name} is missing`);
  return value;
}

/** Whether `--name` is on the command line. */
export function hasFlag(name: string): boolean {
  return process.argv.includes(`--${name}`);
}

/** The runtime that `--runtime`, or another option, names. */
export function runtimeArgument(option = "runtime"): RuntimeName {
  const name = argument(option);
  if (!isRuntimeName(name)) throw new Error(`No such runtime: ${name}`);
  return name;
}
