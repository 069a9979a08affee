import { CommandLineError, ExitCode } from "../cli/exit.ts";
import type { CommandSpec } from "../cli/command.ts";
import { parseOptions } from "../cli/options.ts";
import type { Streams } from "../cli/streams.ts";
import { bashScript } from "./bash-script.ts";
import { completionSpec } from "./completion-spec.ts";
import { contextsOf } from "./contexts.ts";
import { fishScript } from "./fish-script.ts";
import { zshScript } from "./zsh-script.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export function printCompletion(args: readonly string[], { output }: Streams, acp: CommandSpec): number {
  const { positionals } = parseOptions(args, completionSpec.options);
  const [shell = "", ...surplus] = positionals;
  const script = Object.hasOwn(scripts, shell) ? scripts[shell as keyof typeof scripts] : undefined;
  if (script === undefined || surplus.length > 0)
    throw new CommandLineError("Name your shell: acp completion bash, acp completion zsh or acp completion fish");
  output.write(script(contextsOf(acp)));
  return ExitCode.endTurn;
}
