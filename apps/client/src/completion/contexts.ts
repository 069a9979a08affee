import type { CommandSpec } from "../cli/command.ts";
import type { OptionSpec } from "../cli/options.ts";

/** The shells that have a script. */
const shells: readonly string[] = ["bash", "zsh", "fish"];

/** What can stand in a place: words, or what a shell or this program lists. */
export type Candidates = readonly string[] | "file" | "directory" | "agent" | "session" | "nothing";

/** An option, as completion offers it. */
export interface CompletedOption {
  readonly name: string;
  readonly short: string | undefined;
  /** What it does, in one line. */
  readonly help: string;
  /** What its value can be; `undefined` for an option without a value. */
  readonly value: Candidates | undefined;
}

/** A command, and what can stand behind it. */
export interface CompletionContext {
  /** Its words behind `acp`; empty for `acp` itself. */
  readonly command: string;
  readonly commands: readonly { readonly word: string; readonly summary: string }[];
  readonly options: readonly CompletedOption[];
  readonly arguments: Candidates;
}

/** All commands with what completes them. */
export function contextsOf(acp: CommandSpec): readonly CompletionContext[] {
  const contextOf = (spec: CommandSpec): CompletionContext[] => {
    const { name, options, commands = [], completes } = spec;
    const words = commands.map((command) => ({
      word: command.name.slice(name.length).trim(),
      summary: command.summary,
    }));
    const context = {
      command: name,
      commands: words,
      options: Object.entries(options).map(([option, optionSpec]) => completedOption(option, optionSpec)),
      arguments: argumentsOf(completes, acp),
    };
    return [context, ...commands.flatMap(contextOf)];
  };
  return contextOf(acp);
}

function argumentsOf(completes: CommandSpec["completes"], acp: CommandSpec): Candidates {
  if (completes === "command") return (acp.commands ?? []).map(({ name }) => name);
  if (completes === "shell") return shells;
  return completes ?? "nothing";
}

function completedOption(name: string, spec: OptionSpec): CompletedOption {
  const [help = ""] = spec.help.split("\n");
  const value = spec.type === "boolean" ? undefined : (spec.choices ?? spec.completes ?? "nothing");
  return { name, short: spec.short, help, value };
}

/** The arguments with which this program lists names. */
export const nameLists = { agent: "agents list --names", session: "sessions list --names" } as const;

/** A word of a shell script that stands for exactly this text. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
