import { parseArgs } from "node:util";

import { CommandLineError } from "./exit.ts";
import { wrapText } from "./wrap-text.ts";

export interface OptionSpec {
  /** Its one-letter name. */
  readonly short?: string;
  /** The name of its value in the help, such as `<dir>`. An option without one is a flag. */
  readonly value?: string;
  /** It can be given several times. */
  readonly multiple?: boolean;
  /** What it does; each line of the text is a line of the help. */
  readonly help: string;
  /** Its possible values; others are refused. */
  readonly choices?: readonly string[];
  /** The value if it is not given; a flag is off. */
  readonly default?: string;
  /** What completion offers as its value. Default: its `choices`. */
  readonly completes?: "file" | "directory" | "agent" | "session";
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

type OptionValue<Spec extends OptionSpec> = Spec extends { readonly value: string }
  ? Spec extends { readonly multiple: true }
    ? readonly string[]
    : Spec extends { readonly default: string }
      ? string
      : string | undefined
  : boolean;

export interface ParsedOptions<Specs extends OptionSpecs> {
  readonly values: { readonly [Name in keyof Specs]: OptionValue<Specs[Name]> };
  readonly positionals: readonly string[];
  /** What follows `--`; `undefined` without it. */
  readonly rest: readonly string[] | undefined;
}

/**
 * Parses the arguments of a command. What follows `--` is left as it is.
 *
 * @throws {CommandLineError} with the help of the option that is wrong.
 */
export function parseOptions<const Specs extends OptionSpecs>(
  args: readonly string[],
  specs: Specs,
): ParsedOptions<Specs> {
  const end = args.indexOf("--");
  const own = end < 0 ? args : args.slice(0, end);
  const { tokens } = parseArgs({
    args: [...own],
    options: Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, forParser(spec)])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values: Record<string, string | boolean | string[] | undefined> = {};
  for (const [name, spec] of Object.entries(specs)) {
    values[name] = spec.value === undefined ? false : spec.multiple === true ? [] : spec.default;
  }
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
    if (spec === undefined) throw unknownOption(rawName, specs);
    const wrong = (reason: string): Error => optionError(specs, name, `--${name} ${reason}`);
    values[name] = readValue(spec, value, values[name], wrong);
  }
  return {
    values: values as ParsedOptions<Specs>["values"],
    positionals,
    rest: end < 0 ? undefined : args.slice(end + 1),
  };
}

/** The lines of an option in the help: its name and value in a column of `width`, and what it does. */
export function describeOption(name: string, spec: OptionSpec, width: number = headOf(name, spec).length): string {
  const head = headOf(name, spec);
  const indent = 2 + width + 2;
  const [first = "", ...more] = `${spec.help}${spec.multiple === true ? " (repeatable)" : ""}`.split("\n");
  const lines = [
    ...(head.length > width ? [`  ${head}`, " ".repeat(indent) + first] : [`  ${head.padEnd(width)}  ${first}`]),
    ...more.map((line) => " ".repeat(indent) + line),
  ];
  return lines.map((line) => wrapText(line, indent)).join("\n");
}

/** An option as the help names it: `-p, --prompt <text>`. */
export function headOf(name: string, { short, value }: OptionSpec): string {
  return `${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
}

/** An error about one option: says what is wrong, and prints the help of that option. */
export function optionError(specs: OptionSpecs, name: string, message: string): CommandLineError {
  const spec = specs[name];
  return new CommandLineError(message, spec && describeOption(name, spec));
}

function readValue(
  { value: takes, multiple = false, choices }: OptionSpec,
  value: string | undefined,
  before: unknown,
  wrong: (reason: string) => Error,
): boolean | string | string[] {
  if (takes === undefined && value !== undefined) throw wrong("takes no value");
  if (takes === undefined) return true;
  if (value === undefined) throw wrong("needs a value");
  if (choices?.includes(value) === false) throw wrong(`cannot be '${value}'. Use ${listed(choices)}`);
  return multiple ? [...(before as string[]), value] : value;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function unknownOption(rawName: string, specs: OptionSpecs): CommandLineError {
  const written = rawName.replace(/^-+/u, "");
  const near = nearest(written, Object.keys(specs));
  if (near === undefined) return new CommandLineError(`There is no option ${rawName}. --help lists the options`);
  return optionError(specs, near, `There is no option ${rawName}. Did you mean --${near}?`);
}

function forParser({ short, value }: OptionSpec): { readonly type: "string" | "boolean"; readonly short?: string } {
  return { type: value === undefined ? "boolean" : "string", ...(short !== undefined && { short }) };
}

/** The name that was probably meant by a word; `undefined` if none is like it. */
export function nearest(word: string, names: Iterable<string>): string | undefined {
  const written = word.toLowerCase();
  return [...names].find((name) => isNear(written, name.toLowerCase()));
}

/** The same, but no name that the word only begins with. */
export function mistyped(word: string, names: Iterable<string>): string | undefined {
  const near = nearest(word, names);
  return near !== undefined && word.length <= near.length + 1 ? near : undefined;
}

/** Whether two names differ by one letter, or one begins with the other. */
function isNear(one: string, other: string): boolean {
  if (one.length < 3) return false;
  if (other.startsWith(one) || one.startsWith(other)) return true;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [left, right] = [one.slice(start), other.slice(start)];
  const isSwapped = left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2);
  return isSwapped || left.slice(1) === right.slice(1) || left.slice(1) === right || left === right.slice(1);
}
