import { type ParsedOptions, parseOptions } from "../cli/options.ts";
import { type AgentSelection, requireCommand, selectAgent } from "../agents/agent-selection.ts";
import type { Launch } from "../agents/launch.ts";
import { type LaunchSettings, launchSettings } from "../agents/launch-settings.ts";
import { CommandLineError } from "../cli/exit.ts";
import { directoryOf, millisecondsOf, startTimeoutOf } from "../cli/option-values.ts";
import type { NamedSession } from "../sessions/named-session.ts";
import { execSpec } from "./exec-spec.ts";
import { type ExecPermissions, permissionsOf } from "./permissions.ts";

/** The command line of a run. */
export interface ExecOptions {
  readonly format: "text" | "json" | "quiet";
  /** The prompt as an argument. */
  readonly argument: string | undefined;
  /** Whether an argument `-` asks for stdin. */
  readonly asksForInput: boolean;
  readonly file: string | undefined;
  readonly attach: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** In milliseconds. */
  readonly timeout: number | undefined;
  /** In milliseconds. */
  readonly startTimeout: number;
  /** The name of the session to go on in. */
  readonly session: string | undefined;
  readonly model: string | undefined;
  readonly verbose: boolean;
  readonly trace: string | undefined;
  readonly withSecrets: boolean;
  /** The command behind `--`; empty without. */
  readonly command: readonly string[];
  /** The agent that was chosen; without a choice, that of the named session. */
  selection(known: NamedSession | undefined): AgentSelection;
  /** What depends on the agent. */
  with(launch: Launch): ExecSettings;
}

/** What depends on the agent: the command line comes before its configuration. */
export interface ExecSettings extends LaunchSettings {
  readonly permissions: ExecPermissions;
  readonly mode: string | undefined;
}

/** @throws {CommandLineError} */
export function parseExec(args: readonly string[]): ExecOptions {
  const { values, positionals, rest } = parseOptions(args, execSpec.options);
  const [argument, extra] = positionals.filter((word) => word !== "-");
  if (extra !== undefined)
    throw new CommandLineError(
      `Unexpected argument '${extra}'. Write the prompt in quotes, and the agent's command after --`,
    );
  if (values.agent !== undefined && rest !== undefined)
    throw new CommandLineError("--agent cannot be combined with a command after --. Use one of them");
  requireCommand(rest);
  const { file, attach, session, model, mode, verbose, trace } = values;
  const cwd = directoryOf(values.cwd);
  // Wrong ones are told before anything is started.
  permissionsOf(values, { name: undefined, command: "", args: [], source: { kind: "command" } }, cwd);
  return {
    format: formatOf(values.format),
    argument,
    asksForInput: positionals.includes("-"),
    file,
    attach,
    cwd,
    timeout: millisecondsOf("timeout", execSpec.options.timeout, values.timeout),
    startTimeout: startTimeoutOf(values["start-timeout"]),
    session,
    model,
    verbose,
    trace,
    withSecrets: values["with-secrets"],
    command: rest ?? [],
    selection: (known) => selectionOf(values, rest, cwd, known),
    with: (launch) => ({
      ...launchSettings(values, launch),
      permissions: permissionsOf(values, launch, cwd),
      mode: mode ?? launch.mode,
    }),
  };
}

function formatOf(name: string | undefined): ExecOptions["format"] {
  return name === "json" || name === "quiet" ? name : "text";
}

function selectionOf(
  values: ParsedOptions<typeof execSpec.options>["values"],
  rest: readonly string[] | undefined,
  cwd: string,
  known: NamedSession | undefined,
): AgentSelection {
  if (values.agent !== undefined || rest !== undefined || known === undefined) return selectAgent(values, rest, cwd);
  const { name, command, args } = known.agent;
  return name === undefined
    ? selectAgent(values, [command, ...args], cwd)
    : selectAgent({ ...values, agent: name }, undefined, cwd);
}
