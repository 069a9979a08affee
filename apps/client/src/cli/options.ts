import { parseArgs } from "node:util";

import { CommandLineError } from "./exit.ts";
import { wrapText } from "./wrap-text.ts";

export interface OptionSpec {
  readonly type: "string" | "boolean";
  /** Its one-letter name. */
  readonly short?: string;
  /** It can be given several times. */
  readonly multiple?: boolean;
  /** The name of its value in the help, such as `<dir>`. */
  readonly value?: string;
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

type OptionValue<Spec extends OptionSpec> = Spec["type"] extends "boolean"
  ? boolean
  : Spec extends { readonly multiple: true }
    ? readonly string[]
    : Spec extends { readonly default: string }
      ? string
      : string | undefined;

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
    options: Object.fromEntries(Object.entries(specs).map(([name, { type, short }]) => [name, pick(type, short)])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values: Record<string, string | boolean | string[] | undefined> = {};
  for (const [name, spec] of Object.entries(specs)) {
    values[name] = spec.type === "boolean" ? false : spec.multiple === true ? [] : spec.default;
  }
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
    if (spec === undefined) throw unknownOption(rawName, specs);
    values[name] = readValue(name, spec, value, values[name]);
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
export function optionError(name: string, spec: OptionSpec, message: string): CommandLineError {
  return new CommandLineError(message, describeOption(name, spec));
}

function readValue(
  name: string,
  spec: OptionSpec,
  value: string | undefined,
  before: unknown,
): boolean | string | string[] {
  if (spec.type === "boolean") {
    if (value !== undefined) throw optionError(name, spec, `--${name} takes no value`);
    return true;
  }
  if (value === undefined) throw optionError(name, spec, `--${name} needs a value`);
  if (spec.choices?.includes(value) === false) {
    throw optionError(name, spec, `--${name} cannot be '${value}'. Use ${listed(spec.choices)}`);
  }
  return spec.multiple === true ? [...(before as string[]), value] : value;
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function unknownOption(rawName: string, specs: OptionSpecs): CommandLineError {
  const written = rawName.replace(/^-+/u, "");
  const near = nearest(written, Object.keys(specs));
  if (near === undefined) return new CommandLineError(`There is no option ${rawName}. --help lists the options`);
  const spec = specs[near];
  const help = spec && describeOption(near, spec);
  return new CommandLineError(`There is no option ${rawName}. Did you mean --${near}?`, help);
}

function pick(type: OptionSpec["type"], short: string | undefined): { type: OptionSpec["type"]; short?: string } {
  return short === undefined ? { type } : { type, short };
}

/** The name that was probably meant by a word; `undefined` if none is like it. */
export function nearest(word: string, names: Iterable<string>): string | undefined {
  const written = word.toLowerCase();
  return [...names].find((name) => isNear(written, name.toLowerCase()));
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
