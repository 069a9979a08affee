import { commandIn, type CommandSpec, unknownCommand } from "./command.ts";
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
  if (unknown[0] !== undefined) throw unknownCommand(spec, unknown[0]);
  output.write(helpOf(spec));
  return ExitCode.endTurn;
}
