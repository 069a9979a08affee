import { printableLine } from "@acp/render/text";

import { CommandLineError, ExitCode, ProgramFailure } from "./cli/exit.ts";
import { commandIn, unknownCommand } from "./cli/command.ts";
import { acpSpec, chat, commands } from "./commands.ts";
import { mistyped, parseOptions } from "./cli/options.ts";
import { helpOf } from "./cli/help.ts";
import { processStreams, type Streams } from "./cli/streams.ts";
import { withSeparator } from "./chat/chat-spec.ts";
import { describeVersion } from "./cli/version.ts";

/** Runs the program with the streams of this process, and returns its exit code. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const streams = processStreams();
  const [name = ""] = argv;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    if (command !== undefined) return await runCommand(command, argv.slice(1), streams);
    // Before the options, which are those of the command that was meant. Who names a registry means an agent.
    if (!argv.some((arg) => arg.startsWith("--registry"))) await requireNoMistake(name, streams);
    return await runCommand(chat, withSeparator(argv), streams);
  } catch (error) {
    const exitCode = report(error, command === undefined ? "acp" : `acp ${name}`, streams);
    if (exitCode === undefined) throw error;
    return exitCode;
  }
}

/** Loads what runs the command only when its options are right. */
async function runCommand(command: typeof chat, args: readonly string[], streams: Streams): Promise<number> {
  const { spec, args: own } = command === chat ? { spec: chat.spec, args } : commandIn(command.spec, args);
  const [first = "-"] = own;
  if (command !== chat && spec.commands !== undefined && !first.startsWith("-")) throw unknownCommand(spec, first);
  const parsed = parseOptions(own, spec.options);
  const values: Readonly<Record<string, unknown>> = parsed.values;
  const [word] = parsed.positionals;
  if (word !== undefined && command === chat && values["registry"] === undefined) await requireNoMistake(word, streams);
  const text = values["help"] === true ? helpOf(spec) : values["version"] === true ? describeVersion() : undefined;
  if (text === undefined) {
    const [name = "", ...others] = args;
    const part = command.parts !== undefined && Object.hasOwn(command.parts, name) ? command.parts[name] : undefined;
    return part === undefined ? (await command.load()).run(args, streams) : (await part()).run(others, streams);
  }
  streams.output.write(text);
  return ExitCode.endTurn;
}

/** A word that is almost a command or an agent, and no agent that is known here, is a mistake: no registry is asked for it. */
async function requireNoMistake(word: string, { env }: Streams): Promise<void> {
  if (word === "" || word.startsWith("-")) return;
  const { findKnownAgent, knownAgents } = await import("./agents/known-agents.ts");
  if (findKnownAgent(word) !== undefined) return;
  const { listNames } = await import("./agents/list-agents.ts");
  const names = await listNames({ cwd: process.cwd(), registry: undefined }, env);
  if (names.includes(word)) return;
  const shown = printableLine(word);
  if (mistyped(word, Object.keys(commands)) !== undefined)
    throw unknownCommand(acpSpec, word, `An agent of this name is started by: acp --agent ${shown}`);
  const near = mistyped(word, [...names, ...knownAgents.map(({ name }) => name)]);
  if (near === undefined) return;
  const reason = `There is no agent '${shown}'. Did you mean 'acp ${printableLine(near)}'?`;
  throw new CommandLineError(reason, "acp agents looks whether the registry has one of this name");
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
