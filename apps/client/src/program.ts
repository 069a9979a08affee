import { CommandLineError } from "./cli/command-line-error.ts";
import { commandIn } from "./cli/command.ts";
import { chat, commands } from "./cli/commands.ts";
import { ExitCode } from "./cli/exit-code.ts";
import { helpOf } from "./cli/help.ts";
import { parseOptions } from "./cli/options.ts";
import { ProgramFailure } from "./cli/program-failure.ts";
import { processStreams, type Streams } from "./cli/streams.ts";
import { withSeparator } from "./plain/chat-spec.ts";
import { describeVersion } from "./version/version.ts";

/** Runs the program with the streams of this process, and returns its exit code. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const streams = processStreams();
  const [name = ""] = argv;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    return command === undefined
      ? await runCommand(chat, withSeparator(argv), streams)
      : await runCommand(command, argv.slice(1), streams);
  } catch (error) {
    const exitCode = report(error, command === undefined ? "acp" : `acp ${name}`, streams);
    if (exitCode === undefined) throw error;
    return exitCode;
  }
}

/** Loads what runs the command only when its options are right. */
async function runCommand(command: typeof chat, args: readonly string[], streams: Streams): Promise<number> {
  const { spec, args: own } = command === chat ? { spec: chat.spec, args } : commandIn(command.spec, args);
  const values: Readonly<Record<string, unknown>> = parseOptions(own, spec.options).values;
  const text = values["help"] === true ? helpOf(spec) : values["version"] === true ? describeVersion() : undefined;
  if (text === undefined) return (await command.load()).run(args, streams);
  streams.output.write(text);
  return ExitCode.endTurn;
}

/** Says on stderr what the user can do; returns the exit code, or `undefined` for an error of this program. */
function report(error: unknown, program: string, { error: stderr }: Streams): number | undefined {
  if (error instanceof CommandLineError) {
    stderr.write(`${program}: ${error.message}\n${error.help === undefined ? "" : `${error.help}\n`}`);
    return ExitCode.usage;
  }
  if (!(error instanceof ProgramFailure)) return undefined;
  const { message, advice, details } = error;
  const lines = [`${program}: ${message}`, ...(advice === undefined ? [] : [`  ${advice}`]), ...details];
  stderr.write(lines.map((line) => `${line}\n`).join(""));
  return error.exitCode;
}
