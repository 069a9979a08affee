import { type AgentSelection, selectOne } from "../agents/agent-selection.ts";
import type { Launch } from "../agents/launch.ts";
import { launchPermissions, type LaunchSettings, launchSettings } from "../agents/launch-settings.ts";
import { CommandLineError } from "../cli/exit.ts";
import { directoryOf, startTimeoutOf } from "../cli/option-values.ts";
import { parseOptions } from "../cli/options.ts";
import { permissionOf, type PermissionSettings } from "../protocol/permission/settings.ts";
import { chatSpec, withSeparator } from "./chat-spec.ts";

/** The parsed command line. */
export interface CommandLine {
  readonly selection: AgentSelection;
  /** The options of a run with the agent that was selected. */
  optionsFor(launch: Launch): RunOptions;
}

export interface RunOptions extends PermissionSettings, LaunchSettings {
  /** The session's directory; absolute. */
  readonly cwd: string;
  /** How long the agent may take to start, and to open a session, in milliseconds. */
  readonly startTimeout: number;
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

/** The same for the user interface, with its settings. */
export interface UiOptions extends RunOptions {
  /** Whether thoughts are shown whole at first. */
  readonly thoughts: "folded" | "full";
}

/** @throws {CommandLineError} */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals, rest } = parseOptions(withSeparator(args), chatSpec.options);
  if (values.agent !== undefined && rest !== undefined)
    throw new CommandLineError("--agent cannot be combined with a command after --. Use one of them");
  const { prompt, interactive, mode, load, verbose, trace, plain } = values;
  if (interactive && prompt !== undefined)
    throw new CommandLineError("--prompt and --interactive cannot be combined. Use one of them");
  const cwd = directoryOf(values.cwd);
  const selection = selectOne(values, positionals, rest, cwd);
  permissionOf(values, cwd);
  const startTimeout = startTimeoutOf(values["start-timeout"]);
  return {
    selection,
    optionsFor: (launch) => ({
      ...launchSettings(values, launch),
      ...launchPermissions(values, launch, cwd),
      cwd,
      startTimeout,
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
