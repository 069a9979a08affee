import { type AgentSelection, selectAgent } from "../agents/agent-selection.ts";
import type { Launch } from "../agents/launch.ts";
import { launchPermissions, type LaunchSettings, launchSettings } from "../agents/launch-settings.ts";
import { CommandLineError } from "../cli/command-line-error.ts";
import type { CommandSpec } from "../cli/command.ts";
import { parseOptions } from "../cli/options.ts";
import {
  agentOptions,
  directoryOf,
  helpOption,
  permissionOf,
  permissionOptions,
  type PermissionSettings,
} from "../cli/shared-options.ts";

/** The parsed command line. */
export type CommandLine =
  | { readonly kind: "help" }
  | {
      readonly kind: "run";
      readonly selection: AgentSelection;
      /** The options of a run with the agent that was selected. */
      optionsFor(launch: Launch): RunOptions;
    };

export interface RunOptions extends PermissionSettings, LaunchSettings {
  /** The session's directory; absolute. */
  readonly cwd: string;
  /** The only prompt of this run; `undefined` to read one or more prompts. */
  readonly prompt: string | undefined;
  /** Read one prompt per line, even if stdin is no terminal. */
  readonly interactive: boolean;
  /** The mode to select first. */
  readonly mode: string | undefined;
  /** The session to load instead of opening a new one. */
  readonly load: string | undefined;
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
  const { values, positionals, rest } = parseOptions(args(argv), chatSpec.options);
  if (values.help) return { kind: "help" };
  const [name, extra] = positionals;
  const unexpected = rest === undefined && values.agent === undefined ? extra : name;
  if (unexpected !== undefined)
    throw new CommandLineError(`Unexpected argument '${unexpected}'. Give one agent: a name, or its command after --`);
  if (values.agent !== undefined && rest !== undefined)
    throw new CommandLineError("--agent cannot be combined with a command after --. Use one of them");
  if (rest?.length === 0) throw new CommandLineError("The agent's command is missing. Write it after --");
  const { prompt, interactive, mode, load, verbose, trace, plain } = values;
  if (interactive && prompt !== undefined)
    throw new CommandLineError("--prompt and --interactive cannot be combined. Use one of them");
  const cwd = directoryOf(values.cwd);
  permissionOf(values, cwd);
  return {
    kind: "run",
    selection: selectAgent({ ...values, agent: values.agent ?? name }, rest, cwd),
    optionsFor: (launch) => ({
      ...launchSettings(values, launch),
      ...launchPermissions(values, launch, cwd),
      cwd,
      prompt,
      interactive,
      mode: mode ?? launch.mode,
      load,
      verbose,
      trace,
      withSecrets: values["with-secrets"],
      plain,
    }),
  };
}

/** Bun removes a leading `--`: a path, or a word that another word follows, is a command and no name. */
function args(argv: readonly string[]): readonly string[] {
  const [first = "", second = "-"] = argv;
  const hasLostSeparator = process.versions["bun"] !== undefined && !first.startsWith("-") && !argv.includes("--");
  return hasLostSeparator && (/[/\\]/u.test(first) || !second.startsWith("-")) ? ["--", ...argv] : argv;
}
