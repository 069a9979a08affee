#!/usr/bin/env node
import { CommandLineError, parseCommandLine, usage } from "./plain/command-line.ts";
import { ExitCode } from "./cli/exit-code.ts";
import { runClient } from "./plain/run-client.ts";
import { processStreams } from "./cli/streams.ts";

/** Runs the program with the streams of this process. */
async function main(args: readonly string[]): Promise<number> {
  try {
    const options = parseCommandLine(args);
    if (options.kind === "help") {
      process.stdout.write(usage);
      return ExitCode.endTurn;
    }
    return await runClient(options, processStreams());
  } catch (error) {
    if (!(error instanceof CommandLineError)) throw error;
    process.stderr.write(`${error.message}\n\n${usage}`);
    return ExitCode.usage;
  }
}

// Without waiting for it: Bun goes on after an exception that nobody catches for as long as there is an `await` here.
void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
