import { type CommandSpec, commandIn, unknownCommand } from "./command.ts";
import { describeOption, headOf, parseOptions } from "./options.ts";
import { wrapText } from "./wrap-text.ts";
import { ExitCode } from "./exit.ts";
import { helpOption } from "./shared-options.ts";
import type { Streams } from "./streams.ts";

/** The help of a command: at most 80 columns wide. */
export function helpOf({ name, usage, about, options, notes, commands = [] }: CommandSpec): string {
  const call = name === "" ? "acp" : `acp ${name}`;
  const calls = usage.map((line, index) => `${index === 0 ? "Usage:" : "      "} ${`${call} ${line}`.trim()}`);
  const parts = [calls.join("\n")];
  if (about !== undefined) parts.push(wrapText(about));
  if (commands.length > 0) parts.push(`Commands:\n${describeCommands(commands, name)}`);
  const entries = Object.entries(options);
  const width = Math.min(widest, Math.max(...entries.map(([option, spec]) => headOf(option, spec).length)));
  const lines = entries.map(([option, spec]) => describeOption(option, spec, width));
  if (lines.length > 0) parts.push(`Options:\n${lines.join("\n")}`);
  if (notes !== undefined) parts.push(wrapText(notes));
  return `${parts.join("\n\n")}\n`;
}

/** The column of the options is not wider: what each of them does needs room, too. */
const widest = 28;

/** A line for each command, without the words of `parent`. */
function describeCommands(commands: readonly CommandSpec[], parent: string): string {
  const names = commands.map(({ name }) => name.slice(parent.length).trim());
  const width = Math.max(...names.map(({ length }) => length)) + 2;
  const lines = commands.map(({ summary }, index) => `  ${names[index]?.padEnd(width)}${summary}`);
  return lines.map((line) => wrapText(line, 2 + width)).join("\n");
}

export const helpSpec = {
  name: "help",
  summary: "Show the help of a command",
  usage: ["[command]"],
  options: helpOption,
  completes: "command",
} as const satisfies CommandSpec;

/** `acp help <command>`: the same as `acp <command> --help`. */
export function printHelp(args: readonly string[], { output }: Streams, acp: CommandSpec): number {
  const { positionals } = parseOptions(args, helpSpec.options);
  const { spec, args: unknown } = commandIn(acp, positionals);
  if (unknown[0] !== undefined) throw unknownCommand(spec, unknown[0]);
  output.write(helpOf(spec));
  return ExitCode.endTurn;
}
