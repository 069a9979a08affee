import { statSync } from "node:fs";
import { resolve } from "node:path";

import { CommandLineError } from "./command-line-error.ts";
import { describeOption } from "./options.ts";
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
  const help = option === "--cwd" ? describeOption("cwd", agentOptions.cwd) : undefined;
  throw new CommandLineError(`${option} is not a directory: ${directory}`, help);
}
