import { parseRun, type RunRequest, type RunSettings } from "../agents/run-options.ts";
import { CommandLineError } from "../cli/exit.ts";
import { parseOptions } from "../cli/options.ts";
import { chatSpec, withSeparator } from "./chat-spec.ts";

export interface ChatRequest extends RunRequest {
  /** The only prompt of this run; `undefined` to read one or more prompts. */
  readonly prompt: string | undefined;
  /** Read one prompt per line, even if stdin is no terminal. */
  readonly interactive: boolean;
  /** Whether to go on in the session that was used last. */
  readonly isContinued: boolean;
  /** The session to load instead of opening a new one. */
  readonly load: string | undefined;
  /** Lines instead of the user interface. */
  readonly plain: boolean;
}

export interface RunOptions extends ChatRequest, RunSettings {}

/** The same for the user interface, with its settings. */
export interface UiOptions extends RunOptions {
  /** Whether thoughts are shown whole at first. */
  readonly thoughts: "folded" | "full";
  /** Whether the window gets a title, and the user hears of questions and of long turns that end. */
  readonly notifications: boolean;
}

/** @throws {CommandLineError} */
export function parseCommandLine(args: readonly string[]): ChatRequest {
  const { values, positionals, rest } = parseOptions(withSeparator(args), chatSpec.options);
  const { prompt, interactive, load, plain } = values;
  if (interactive && prompt !== undefined)
    throw new CommandLineError("--prompt and --interactive cannot be combined. Use one of them");
  if (load !== undefined && values.session !== undefined)
    throw new CommandLineError("--load and --session cannot be combined. Use one of them");
  if (values.continue && (load ?? values.session) !== undefined)
    throw new CommandLineError("--continue cannot be combined with --load or --session. Use one of them");
  const run = parseRun(values, { names: positionals, command: rest, isAttended: true });
  return { ...run, prompt, interactive, isContinued: values.continue, load, plain };
}
