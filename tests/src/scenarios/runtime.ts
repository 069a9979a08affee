import { process } from "./platform.ts";
import type { RuntimeName, RuntimePackage } from "./scenario.ts";

const packages: Readonly<Record<RuntimeName, () => Promise<RuntimePackage>>> = {
  node: () => import("@acp/node"),
};

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

/** The runtime package that `--runtime` names. */
export async function loadRuntime(): Promise<{ readonly name: RuntimeName; readonly runtime: RuntimePackage }> {
  const name = argument("runtime");
  if (!isRuntimeName(name)) throw new Error(`No such runtime: ${name}`);
  return { name, runtime: await packages[name]() };
}

function isRuntimeName(name: string): name is RuntimeName {
  return Object.hasOwn(packages, name);
}
