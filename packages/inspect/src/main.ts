#!/usr/bin/env node
import { CommandLineError, parseCommandLine, usage } from "./command-line.ts";
import { read } from "./read.ts";
import { tap } from "./tap/tap.ts";

/** Runs the program, and returns its exit code. */
async function main(args: readonly string[]): Promise<number> {
  try {
    const command = parseCommandLine(args);
    if (command.kind === "tap") return await tap(command);
    if (command.kind === "read") return await read(command.recording, command);
    process.stdout.write(usage);
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`acp-inspect: ${message}\n${error instanceof CommandLineError ? `\n${usage}` : ""}`);
    return 2;
  }
}

const exitCode = await main(process.argv.slice(2));
// Do not wait for a log or a stdout that nobody reads.
process.exit(exitCode);
