import type { CommandSpec } from "../cli/command.ts";
import type { OptionSpec } from "../cli/options.ts";

const shells: readonly string[] = ["bash", "zsh", "fish"];

/** What can stand in a place: words, or what a shell or this program lists. */
export type Candidates = readonly string[] | "file" | "directory" | "agent" | "session" | "nothing";

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
const nameLists = { agent: "agents list --names", session: "sessions list --names" } as const;

/** A word of a shell script that stands for exactly this text. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The lines of a `case`, of bash and zsh, that finds the command in `"$command:<next word>"`. */
export function commandCases(contexts: readonly CompletionContext[]): string {
  const lines = contexts
    .filter(({ command }) => command !== "")
    .map(({ command }) => {
      const words = command.split(" ");
      return `      ${quoted(`${words.slice(0, -1).join(" ")}:${words.at(-1)}`)}) command=${quoted(command)} depth=$index ;;`;
    });
  return lines.join("\n");
}

/** The lines of a `case` that offers the values of the option in `"$command:$previous"`. */
export function valueCases(contexts: readonly CompletionContext[], offer: (candidates: Candidates) => string): string {
  const lines = contexts.flatMap(({ command, options }) =>
    options.flatMap(({ name, short, value }) => {
      if (value === undefined) return [];
      const names = [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
      const patterns = names.map((option) => quoted(`${command}:${option}`)).join("|");
      return [`    ${patterns}) ${offer(value)}; return ;;`];
    }),
  );
  return lines.join("\n");
}

/** How a shell offers candidates: what it lists itself, the names that a command of this program lists, and words. */
export interface Offers {
  readonly file: string;
  readonly directory: string;
  readonly nothing: string;
  names(list: string): string;
  words(words: readonly string[]): string;
}

export function offerBy(offers: Offers): (candidates: Candidates) => string {
  return (candidates) => {
    if (typeof candidates !== "string") return offers.words(candidates);
    return candidates === "agent" || candidates === "session"
      ? offers.names(nameLists[candidates])
      : offers[candidates];
  };
}
