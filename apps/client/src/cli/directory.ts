import { statSync } from "node:fs";
import { resolve } from "node:path";

import { CommandLineError } from "./command-line-error.ts";

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
  throw new CommandLineError(`${option} is not a directory: ${directory}`);
}
