import type { CommandSpec } from "../cli/command.ts";
import { CommandLineError, ExitCode } from "../cli/exit.ts";
import { parseOptions } from "../cli/options.ts";
import type { Streams } from "../cli/streams.ts";
import { completionSpec } from "./completion-spec.ts";
import { offersFor } from "./offers.ts";
import { scripts } from "./scripts.ts";

/** Prints the script of a shell; and to such a script, what can stand in the place of the last word behind `--`. */
export async function printCompletion(
  args: readonly string[],
  { output, env }: Streams,
  acp: CommandSpec,
): Promise<number> {
  const { positionals, rest } = parseOptions(args, completionSpec.options);
  const [shell = "", ...surplus] = positionals;
  if (rest !== undefined) {
    const { kind, words } = await offersFor(rest, acp, env);
    output.write([kind, ...words.map((word) => word.join("\t"))].map((line) => `${line}\n`).join(""));
    return ExitCode.endTurn;
  }
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined || surplus.length > 0)
    throw new CommandLineError("Name your shell: acp completion bash, acp completion zsh or acp completion fish");
  output.write(script);
  return ExitCode.endTurn;
}
