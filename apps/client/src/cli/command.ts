import type { Streams } from "./streams.ts";
import { describeOption, type OptionSpecs } from "./options.ts";

/** A command of this program, such as `acp exec`. */
export interface Command {
  readonly spec: CommandSpec;
  /**
   * Runs it with the arguments behind its name, and returns the exit code.
   *
   * @throws {CommandLineError} for wrong arguments.
   * @throws {ProgramFailure} for what the user can do something about.
   */
  run(args: readonly string[], streams: Streams): Promise<number>;
}

/** What the help and the completion say of a command. */
export interface CommandSpec {
  /** Its words behind `acp`, such as `sessions list`; empty for `acp` itself. */
  readonly name: string;
  /** What it does: a phrase for the list of commands. */
  readonly summary: string;
  /** How it is called, without `acp` and its name: one line each. */
  readonly usage: readonly string[];
  /** More about it. */
  readonly about?: string;
  readonly options: OptionSpecs;
  /** What stands below the options. */
  readonly notes?: string;
  /** Its commands, such as `list` of `sessions`. */
  readonly commands?: readonly CommandSpec[];
  /** What completion offers for its arguments. */
  readonly completes?: "file" | "agent" | "session";
}

/** The help of a command. */
export function helpOf({ name, usage, about, options, notes, commands = [] }: CommandSpec): string {
  const call = name === "" ? "acp" : `acp ${name}`;
  const calls = usage.map((line, index) => `${index === 0 ? "Usage:" : "      "} ${`${call} ${line}`.trim()}`);
  const parts = [calls.join("\n")];
  if (about !== undefined) parts.push(about);
  if (commands.length > 0) parts.push(`Commands:\n${describeCommands(commands, name)}`);
  const lines = Object.entries(options).map(([option, spec]) => describeOption(option, spec));
  if (lines.length > 0) parts.push(`Options:\n${lines.join("\n")}`);
  if (notes !== undefined) parts.push(notes);
  return `${parts.join("\n\n")}\n`;
}

/** A line for each command, without the words of `parent`. */
export function describeCommands(commands: readonly CommandSpec[], parent = ""): string {
  const skipped = parent === "" ? 0 : parent.length + 1;
  return commands.map(({ name, summary }) => `  ${name.slice(skipped).padEnd(13)} ${summary}`).join("\n");
}
