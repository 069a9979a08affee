import { CommandLineError } from "../cli/exit.ts";
import type { NamedAgent } from "./launch.ts";

/** The agent that the user has chosen on the command line. */
export interface AgentSelection {
  /** Its name; `undefined` for the default of the configuration. */
  readonly name?: string | undefined;
  /** Its program and arguments. Beside a name: what to run if there is no agent of that name. */
  readonly command?: readonly string[] | undefined;
  /** The directory of the session; absolute. The project's configuration is looked for from here upwards. */
  readonly cwd: string;
  /** The file or URL of the registry. Default: that of the configuration, else the public one. */
  readonly registry?: string | undefined;
  /** Start what the project's configuration names without asking. */
  readonly trustProject?: boolean;
  /** Only its sessions in the hub. */
  readonly hub?: boolean;
}

export interface AgentSelectionValues {
  readonly agent: string | undefined;
  readonly registry: string | undefined;
  readonly "trust-project": boolean;
}

/**
 * The same for a command line that names one agent: by its name, by `--agent`, or by its command behind `--`.
 *
 * @throws {CommandLineError} if there is a word too many, or no command behind `--`.
 */
export function selectOne(
  values: AgentSelectionValues,
  [name, extra]: readonly string[],
  command: readonly string[] | undefined,
  cwd: string,
): AgentSelection {
  const unexpected = command === undefined && values.agent === undefined ? extra : name;
  if (unexpected !== undefined)
    throw new CommandLineError(`Unexpected argument '${unexpected}'. Give one agent: a name, or its command after --`);
  requireCommand(command);
  return selectAgent({ ...values, agent: values.agent ?? name }, command, cwd);
}

/** @throws {CommandLineError} if nothing is behind `--`. */
export function requireCommand(command: readonly string[] | undefined): void {
  if (command?.length === 0) throw new CommandLineError("The agent's command is missing. Write it after --");
}

/** Makes a selection of the options in `agentOptions`, and of what follows `--`. */
export function selectAgent(
  values: AgentSelectionValues,
  command: readonly string[] | undefined,
  cwd: string,
): AgentSelection {
  return { name: values.agent, command, cwd, registry: values.registry, trustProject: values["trust-project"] };
}

/** The same for the agent of a session. */
export function selectKnown(chosen: AgentSelection, { name, command, args }: NamedAgent): AgentSelection {
  return name === undefined ? { ...chosen, command: [command, ...args] } : { ...chosen, name };
}
