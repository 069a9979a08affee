import { printableLine } from "@acp/render/text";

import { CommandLineError } from "./exit.ts";
import { nearest, type OptionSpecs } from "./options.ts";
import type { Streams } from "./streams.ts";

/** A command of this program, such as `acp exec`. */
export interface Command {
  /** It must not import the toolkit: help, completion and errors about options have to be fast. */
  readonly spec: CommandSpec;
  readonly load: LoadCommand;
  /** What runs its commands, such as `list` of `sessions`. */
  readonly parts?: Readonly<Record<string, LoadCommand>>;
}

export type LoadCommand = () => Promise<{ readonly run: RunCommand }>;

/**
 * Runs a command with the arguments behind its name, and returns the exit code. The program has checked its options before,
 * and has answered `--help`.
 *
 * @throws {CommandLineError} for wrong arguments.
 * @throws {ProgramFailure} for what the user can do something about.
 */
export type RunCommand = (args: readonly string[], streams: Streams) => number | Promise<number>;

/** What the help and the completion say of a command. */
export interface CommandSpec {
  /** Its words behind `acp`, such as `sessions list`; empty for `acp` itself. */
  readonly name: string;
  /** What it does: a phrase for the list of commands. */
  readonly summary: string;
  /** How it is called, without `acp` and its name: one line each. */
  readonly usage: readonly string[];
  readonly about?: string;
  readonly options: OptionSpecs;
  /** What stands below the options. */
  readonly notes?: string;
  /** Its commands, such as `list` of `sessions`. */
  readonly commands?: readonly CommandSpec[];
  /** What completion offers for its arguments. */
  readonly completes?: "file" | "agent" | "session" | "command" | readonly string[];
}

/** The error for a word that is no command of `spec`; `help` is what else it may be. */
export function unknownCommand(spec: CommandSpec, word: string, help?: string): CommandLineError {
  const path = ["acp", spec.name].filter((part) => part !== "").join(" ");
  const near = nearest(word, namesIn(spec));
  const advice = near === undefined ? `${path} --help lists them` : `Did you mean '${path} ${near}'?`;
  return new CommandLineError(`There is no command '${path} ${printableLine(word)}'. ${advice}`, help);
}

function namesIn({ name: own, commands = [] }: CommandSpec): readonly string[] {
  return commands.map(({ name }) => name.slice(own.length).trim());
}

/** Finds the command or the subcommand that `args` name, and the arguments behind its name. */
export function commandIn(
  spec: CommandSpec,
  args: readonly string[],
): { readonly spec: CommandSpec; readonly args: readonly string[] } {
  const [word] = args;
  const found = spec.commands?.find(({ name }) => name.slice(spec.name.length).trim() === word);
  return found === undefined ? { spec, args } : commandIn(found, args.slice(1));
}
