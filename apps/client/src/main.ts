#!/usr/bin/env node
import { CommandLineError } from "./cli/command-line-error.ts";
import { commands } from "./cli/commands.ts";
import { ExitCode } from "./cli/exit-code.ts";
import { ProgramFailure } from "./cli/program-failure.ts";
import { processStreams, type Streams } from "./cli/streams.ts";

/** Runs the program with the streams of this process. */
async function main(args: readonly string[]): Promise<number> {
  const streams = processStreams();
  const [name = ""] = args;
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    if (load !== undefined) return await (await load()).run(args.slice(1), streams);
    const { chat } = await import("./plain/chat.ts");
    return await chat.run(args, streams);
  } catch (error) {
    const exitCode = report(error, load === undefined ? "acp" : `acp ${name}`, streams);
    if (exitCode === undefined) throw error;
    return exitCode;
  }
}

/** Says on stderr what the user can do; returns the exit code, or `undefined` for an error of this program. */
function report(error: unknown, program: string, { error: stderr }: Streams): number | undefined {
  if (error instanceof CommandLineError) {
    stderr.write(`${program}: ${error.message}\n${error.help === undefined ? "" : `${error.help}\n`}`);
    return ExitCode.usage;
  }
  if (!(error instanceof ProgramFailure)) return undefined;
  stderr.write(`${program}: ${error.message}\n${error.advice === undefined ? "" : `  ${error.advice}\n`}`);
  return error.exitCode;
}

// Without waiting for it: Bun goes on after an exception that nobody catches for as long as there is an `await` here.
void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
