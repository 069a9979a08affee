// Lists of arguments: `["--token", "x"]`, `["-e", "TOKEN=x"]`.
import { secretOfOption, secretOfShortOption } from "./command-options.ts";
import { maskLine } from "./find-secrets.ts";
import { kindOfName } from "./secret-names.ts";
import { isStandIn } from "./secret-values.ts";
import { maskSpans, redacted } from "./spans.ts";

/** Options whose next argument is a variable or a header, and both in one argument. */
const variableOption = /^(?:-e|--env|--build-arg)$/u;
const headerOption = /^(?:-H|--headers?)$/u;
const variable = /^([A-Za-z_][\w.]{0,128}=)[^]+/u;
const header = /^([^:=]{1,128}[:=])[^]+/u;
const variableArgument = /^(--(?:env|build-arg)=[^=:]{1,128}=|-e[A-Za-z_]\w{0,128}=)[^]+/u;
const headerArgument = /^(--(?:env|headers?)=[^:=]{1,128}[:=])[^]+/u;
/** How much of a command is kept, to know its program and its options. */
const longestCommand = 512;

/** Redacts arguments one after another. Others than texts are left to the caller. */
export class ArgumentRedaction {
  #option = "";
  #command: string;

  /** All arguments, as far as they say what `-p` means. */
  readonly #all: string;

  /** `command` is the program, if it is known. */
  constructor(command: string, args: readonly unknown[]) {
    this.#command = command.slice(-longestCommand);
    const texts = args.slice(0, 64).filter((argument) => typeof argument === "string");
    this.#all = texts.map((text) => text.slice(0, 64)).join(" ");
  }

  /** Something else than a text has come. */
  skip(): void {
    this.#option = "";
  }

  redact(argument: string): string {
    const option = this.#option;
    const command = this.#command;
    this.#option = "";
    this.#command = `${command} ${argument.slice(0, 128)}`.slice(-longestCommand);
    // Who logs in with a password says as whom, before it or after it.
    const value = valueOf(option, argument, /^-[pP]$/u.test(option) ? `${command} ${this.#all}` : command);
    if (value !== undefined) return value;
    this.#option = /^-{1,2}[A-Za-z][\w-]{0,127}$/u.test(argument) ? argument : "";
    return redactWhole(argument, command);
  }
}

/** The argument without what is secret because of the option before it; `undefined` if that says nothing about it. */
function valueOf(option: string, argument: string, command: string): string | undefined {
  if (option === "") return undefined;
  const pair = variableOption.test(option) ? variable : headerOption.test(option) ? header : undefined;
  if (pair !== undefined) return pair.test(argument) ? withoutValue(pair, argument) : maskLine(argument);
  const secret = secretOfOption(option, argument, command);
  return secret && maskSpans(argument, [secret]);
}

function withoutValue(form: RegExp, argument: string): string {
  return argument.replace(form, (whole, name: string) =>
    isStandIn(whole.slice(name.length)) && /[$%{<]/u.test(whole) ? whole : `${name}${redacted}`,
  );
}

function redactWhole(argument: string, command: string): string {
  for (const form of [variableArgument, headerArgument]) if (form.test(argument)) return withoutValue(form, argument);
  const secret = secretOfShortOption(argument, command);
  if (secret !== undefined) return maskSpans(argument, [secret]);
  // The value of an argument ends with it, whatever it contains.
  const named = /^(-{0,2}[A-Za-z_][\w.-]{0,128}=)[^]+/u.exec(argument);
  if (named !== null && kindOfName(named[1]!) === "secret")
    return isStandIn(argument.slice(named[1]!.length)) ? argument : `${named[1]}${redacted}`;
  return maskLine(argument);
}
