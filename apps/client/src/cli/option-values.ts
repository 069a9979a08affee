import { statSync } from "node:fs";
import { resolve } from "node:path";

import { optionError, type OptionSpecs } from "./options.ts";
import { agentOptions } from "./shared-options.ts";

/**
 * The absolute path of an option.
 *
 * @throws {CommandLineError} if it is no directory.
 */
export function directoryOf(path: string, option = "--cwd"): string {
  const directory = resolve(path);
  try {
    if (statSync(directory).isDirectory()) return directory;
  } catch {
    // The same error as for a file.
  }
  throw optionError(option === "--cwd" ? agentOptions : {}, "cwd", `${option} is not a directory: ${directory}`);
}

/** The longest time that a timer can wait, in milliseconds. */
const longest = 2 ** 31 - 1;

/**
 * The time that an option in seconds names, in milliseconds; `undefined` if it is not given.
 *
 * @throws {CommandLineError} for anything but a positive number.
 */
export function millisecondsOf(specs: OptionSpecs, name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const milliseconds = Math.round(Number(value) * 1_000);
  if (/^\d+(?:\.\d+)?$/u.test(value) && milliseconds > 0) return Math.min(milliseconds, longest);
  throw optionError(specs, name, `--${name} needs a number of seconds, such as 30, and not '${value}'`);
}

/** How long an agent may take to start, and to open a session, in milliseconds. */
export function startTimeoutOf(value: string | undefined): number {
  return millisecondsOf(agentOptions, "start-timeout", value) ?? 60_000;
}
