import { describeError } from "@acp/core/internal";

import { CommandLineError, parseCommandLine } from "./command-line.ts";
import { usageOf } from "./program-help.ts";
import { compare, read, RecordingError, writePage } from "./read.ts";
import { tap } from "./tap/tap.ts";

/** Runs the program, and returns its exit code. `name` is how its messages call it. */
export async function runProgram(args: readonly string[], name: string): Promise<number> {
  try {
    const command = parseCommandLine(args);
    if (command.kind === "tap") return await tap(command, name);
    if (command.kind === "read") return await read(command.recording, command);
    if (command.kind === "page") return await writePage(command);
    if (command.kind === "compare") return await compare(command);
    process.stdout.write(usageOf(name));
    return 0;
  } catch (error) {
    const message = describeError(error);
    process.stderr.write(`${name}: ${message}\n${error instanceof CommandLineError ? `\n${usageOf(name)}` : ""}`);
    return error instanceof RecordingError ? 1 : 2;
  }
}
