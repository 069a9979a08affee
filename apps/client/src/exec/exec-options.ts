import { parseRun, type RunRequest } from "../agents/run-options.ts";
import { CommandLineError } from "../cli/exit.ts";
import { parseOptions } from "../cli/options.ts";
import { execSpec } from "./exec-spec.ts";

export interface ExecOptions extends RunRequest {
  readonly format: "text" | "json" | "quiet";
  readonly argument: string | undefined;
  /** Whether an argument `-`, or `--file -`, asks for stdin. */
  readonly asksForInput: boolean;
  readonly file: string | undefined;
  /** The command behind `--`; empty without. */
  readonly command: readonly string[];
}

/** @throws {CommandLineError} */
export function parseExec(args: readonly string[]): ExecOptions {
  const { values, positionals, rest } = parseOptions(args, execSpec.options);
  const [argument, extra] = positionals.filter((word) => word !== "-");
  if (extra !== undefined)
    throw new CommandLineError(
      `Unexpected argument '${extra}'. Write the prompt in quotes, and the agent's command after --`,
    );
  const run = parseRun(values, { names: [], command: rest, isAttended: false });
  const { format, file } = values;
  return {
    ...run,
    format: format === "json" || format === "quiet" ? format : "text",
    argument,
    asksForInput: positionals.includes("-") || file === "-",
    file: file === "-" ? undefined : file,
    command: rest ?? [],
  };
}
