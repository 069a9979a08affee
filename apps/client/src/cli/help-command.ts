import { CommandLineError } from "./command-line-error.ts";
import { commandIn, type CommandSpec } from "./command.ts";
import { ExitCode } from "./exit-code.ts";
import { helpOf } from "./help.ts";
import { parseOptions } from "./options.ts";
import { helpOption } from "./shared-options.ts";
import type { Streams } from "./streams.ts";

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
  if (unknown.length > 0) throw new CommandLineError(`There is no command '${positionals.join(" ")}'. See acp --help`);
  output.write(helpOf(spec));
  return ExitCode.endTurn;
}
