import type { Framing } from "@acp/framing";

import { CommandLineError } from "../cli/command-line-error.ts";
import type { CommandSpec } from "../cli/command.ts";
import { parseOptions } from "../cli/options.ts";
import {
  agentOptions,
  directoryOf,
  framingOf,
  helpOption,
  permissionOf,
  permissionOptions,
  type PermissionSettings,
} from "../cli/shared-options.ts";

/** The parsed command line. */
export type CommandLine = { readonly kind: "help" } | ({ readonly kind: "run" } & RunOptions);

export interface RunOptions extends PermissionSettings {
  /** The agent's program and its arguments. */
  readonly agent: { readonly command: string; readonly args: readonly string[] };
  /** The session's directory; absolute. */
  readonly cwd: string;
  readonly framing: Framing;
  /** The protocol version to offer; agents may choose an older one. */
  readonly protocol: 1 | 2;
  /** The only prompt of this run; `undefined` to read one or more prompts. */
  readonly prompt: string | undefined;
  /** Read one prompt per line, even if stdin is no terminal. */
  readonly interactive: boolean;
  /** The mode to select first. */
  readonly mode: string | undefined;
  /** The session to load instead of opening a new one. */
  readonly load: string | undefined;
  /** The login method to call first. */
  readonly login: string | undefined;
  /** Whether to print diagnostics and the agent's stderr. */
  readonly verbose: boolean;
  /** The file that receives all messages. */
  readonly trace: string | undefined;
  /** Whether the trace and what `--verbose` prints contain passwords and tokens. */
  readonly withSecrets: boolean;
  /** Lines instead of the user interface. */
  readonly plain: boolean;
}

/** What `acp` does without the name of a command. */
export const chatSpec = {
  name: "",
  summary: "Talk to an agent",
  usage: ["[options] <agent>", "[options] -- <agent command> [args…]", "<command> [options]"],
  about: `Starts an ACP agent, sends it prompts, and shows what it does.
Without --prompt it asks for prompts on a terminal; otherwise it reads one prompt from stdin.`,
  options: {
    prompt: { type: "string", short: "p", value: "<text>", help: "The only prompt" },
    interactive: {
      type: "boolean",
      short: "i",
      help: "Read prompts line by line, even if stdin is no terminal",
    },
    plain: { type: "boolean", help: "Print lines, without the user interface for terminals" },
    mode: { type: "string", value: "<id>", help: "Select this session mode first" },
    load: {
      type: "string",
      value: "<id>",
      help: "Continue an earlier session, and show its history",
      completes: "session",
    },
    ...permissionOptions,
    ...agentOptions,
    ...helpOption,
  },
  notes: `With any of --allow-read, --allow-edit and --allow-command, the client asks you before every other command or file, even
if the agent does not ask.

Ctrl-C cancels the turn, a second Ctrl-C quits, a third one ends an agent that does not end by itself.
At the prompt, /help lists commands; /quit and Ctrl-D quit.

Exit codes: 0 the turn ended, 1 something failed, 2 wrong options, 3 refusal, 4 max_tokens, 5 max_turn_requests,
            6 the agent ended, 7 it does not speak ACP, 8 no answer in time, 9 login needed, 10 no such session,
            11 wrong configuration, 12 permission denied, 130 cancelled`,
} as const satisfies CommandSpec;

/** @throws {CommandLineError} */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  // Bun removes a leading `--`.
  const hasLostSeparator = argv[0]?.startsWith("-") === false && !argv.includes("--");
  const args = hasLostSeparator ? ["--", ...argv] : argv;
  const { values, positionals, rest } = parseOptions(args, chatSpec.options);
  if (values.help) return { kind: "help" };
  if (positionals.length > 0)
    throw new CommandLineError(`Unexpected argument '${positionals[0]}'. Write the agent's command after --`);
  const [command, ...commandArgs] = rest ?? [];
  if (command === undefined) throw new CommandLineError("The agent's command is missing. Write it after --");
  const { prompt, interactive, mode, load, login, verbose, trace, plain } = values;
  if (interactive && prompt !== undefined)
    throw new CommandLineError("--prompt and --interactive cannot be combined. Use one of them");
  const cwd = directoryOf(values.cwd);
  return {
    kind: "run",
    agent: { command, args: commandArgs },
    cwd,
    framing: framingOf(values.framing),
    protocol: values.protocol === "2" ? 2 : 1,
    prompt,
    interactive,
    ...permissionOf(values, cwd),
    mode,
    load,
    login,
    verbose,
    trace,
    withSecrets: values["with-secrets"],
    plain,
  };
}
