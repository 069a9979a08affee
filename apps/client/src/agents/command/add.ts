import type { RunCommand } from "../../cli/command.ts";
import { CommandLineError } from "../../cli/command-line-error.ts";
import { ExitCode } from "../../cli/exit-code.ts";
import { optionError, parseOptions } from "../../cli/options.ts";
import { ProgramFailure } from "../../cli/program-failure.ts";
import { directoryOf } from "../../cli/directory.ts";
import type { Streams } from "../../cli/streams.ts";
import { printableLine } from "../../text/printable.ts";
import type { ConfiguredAgent } from "../config/config.ts";
import type { MemberEdit } from "../config/edit-text.ts";
import { findConfigs } from "../config/find-configs.ts";
import { findProgram } from "../known/find-program.ts";
import { findKnownAgent } from "../known/known-agents.ts";
import { loadRegistry } from "../registry/load-registry.ts";
import { registryOf } from "../resolve-agent.ts";
import { editedFile, requireName } from "./edited-file.ts";
import { addSpec } from "./agents-spec.ts";

/** `acp agents add`. */
export const run: RunCommand = async (args, streams) => {
  const { values, positionals, rest } = parseOptions(args, addSpec.options);
  const [given, extra] = positionals;
  const name = requireName(given, addSpec.usage[0].replace("[options]", "add"));
  if (extra !== undefined)
    throw new CommandLineError(`Unexpected argument '${extra}'. Write the agent's command after --`);
  if (rest?.length === 0) throw new CommandLineError("The agent's command is missing. Write it after --");
  const cwd = directoryOf(values.cwd);
  const env = Object.fromEntries(values.env.map(toVariable));
  const file = editedFile(values.project, cwd, streams.env);
  if (Object.hasOwn(file.config.agents ?? {}, name)) {
    throw new ProgramFailure(
      `${file.path} has an agent '${name}' already`,
      ExitCode.configuration,
      `Remove it first: acp agents remove ${name}${values.project ? " --project" : ""}`,
    );
  }
  const [command, ...commandArgs] = rest ?? [];
  const agent =
    command === undefined ? await findAgent(name, cwd, values.registry, streams) : { command, args: commandArgs };
  const { args: agentArgs = [] } = agent;
  const value = {
    ...agent,
    ...(agentArgs.length === 0 ? { args: undefined } : {}),
    ...(values.env.length === 0 ? {} : { env }),
  };
  const edits: MemberEdit[] = [{ path: ["agents", name], value }];
  // Else the name would be looked up elsewhere later.
  if (agent.registry !== undefined && values.registry !== undefined && file.config.registry === undefined)
    edits.push({ path: ["registry"], value: values.registry });
  file.edit(edits);
  streams.output.write(`Added ${name} to ${file.path}. Try it: acp doctor ${name}\n`);
  return ExitCode.endTurn;
};

function toVariable(text: string): [name: string, value: string] {
  const [, name, value] = /^([A-Za-z_]\w*)=([\s\S]*)$/u.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw optionError(
      "env",
      addSpec.options.env,
      `--env needs a name and a value, such as KEY='\${KEY}', not '${text}'`,
    );
  return [name, value];
}

/** An agent without a command: one of the registry, or a known program on `PATH`. */
async function findAgent(
  name: string,
  cwd: string,
  registry: string | undefined,
  { env }: Streams,
): Promise<ConfiguredAgent> {
  const known = findKnownAgent(name);
  if (registry === undefined && known !== undefined && findProgram(known.program, env) !== undefined)
    return { command: known.program, args: known.args };
  const location = registryOf({ registry }, findConfigs(cwd, env));
  const found = await loadRegistry(location, env).catch((error: unknown) => {
    throw new ProgramFailure(
      `The registry cannot be read: ${printableLine((error as Error).message)}`,
      ExitCode.configuration,
      `Write the agent's command: acp agents add ${name} -- <command>`,
    );
  });
  if (found?.agents.some(({ id }) => id === name) === true) return { registry: name };
  throw new ProgramFailure(
    `The registry has no agent '${name}'`,
    ExitCode.configuration,
    `Write its command: acp agents add ${name} -- <command>`,
  );
}
