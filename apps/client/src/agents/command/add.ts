import { existsSync } from "node:fs";
import { resolve, sep } from "node:path";

import { printableLine } from "@acp/render/text";

import type { RunCommand } from "../../cli/command.ts";
import { CommandLineError, ExitCode, ProgramFailure, wrongConfiguration } from "../../cli/exit.ts";
import { optionError, parseOptions } from "../../cli/options.ts";
import { directoryOf } from "../../cli/option-values.ts";
import type { Streams } from "../../cli/streams.ts";
import { requireCommand } from "../agent-selection.ts";
import type { ConfiguredAgent } from "../config/config.ts";
import { expandVariables } from "../config/expand-variables.ts";
import type { MemberEdit } from "../config/edit-text.ts";
import { findConfigs } from "../config/find-configs.ts";
import { findProgram, findKnownAgent, isExecutable, scriptOf } from "../known-agents.ts";
import { launchOfCommand } from "../launch.ts";
import { isUrl } from "../registry/fetch-file.ts";
import { loadRegistry } from "../registry/load-registry.ts";
import { registryOf } from "../resolve-agent.ts";
import { editedFile, requireName } from "./edited-file.ts";
import { addSpec } from "./agents-spec.ts";

/** How long an agent may take to start when it is added, in milliseconds. */
const startTimeout = 60_000;

export const run: RunCommand = async (args, streams) => {
  const { values, positionals, rest } = parseOptions(args, addSpec.options);
  const [given, extra] = positionals;
  const name = requireName(given, addSpec.usage[0].replace("[options]", "add"));
  if (extra !== undefined)
    throw new CommandLineError(`Unexpected argument '${extra}'. Write the agent's command after --`);
  requireCommand(rest);
  const cwd = directoryOf(values.cwd);
  const env = Object.fromEntries(values.env.map(toVariable));
  const file = editedFile(values.project, cwd, streams.env);
  const known = Object.hasOwn(file.config.agents ?? {}, name) ? file.config.agents?.[name] : undefined;
  // An agent of the registry may be added again: the user agrees to what it runs by now.
  if (known !== undefined && (rest !== undefined || known.registry === undefined)) {
    throw wrongConfiguration(
      `${file.path} has an agent '${name}' already`,
      `Remove it first: acp agents remove ${name}${values.project ? " --project" : ""}`,
    );
  }
  const [command, ...commandArgs] = rest ?? [];
  const agent =
    command === undefined
      ? await findAgent(known?.registry ?? name, cwd, values.registry ?? known?.from, streams)
      : { command: programTyped(command, streams), args: argumentsTyped(command, commandArgs) };
  const { args: agentArgs = [] } = agent;
  if (agent.command !== undefined && !values["no-check"]) await checkStart({ ...agent, env }, streams);
  const value = {
    ...agent,
    ...(agentArgs.length === 0 ? { args: undefined } : {}),
    ...(values.env.length === 0 ? {} : { env }),
  };
  const added = known === undefined ? value : { ...known, ...(values.env.length === 0 ? {} : { env }) };
  const edits: MemberEdit[] = [{ path: ["agents", name], value: added }];
  if (values["set-registry"] && values.registry !== undefined)
    edits.push({ path: ["registry"], value: placeTyped(values.registry) });
  file.edit(edits);
  streams.output.write(`Added ${name} to ${file.path}. Try it: acp doctor ${name}\n`);
  return ExitCode.endTurn;
};

function toVariable(text: string): [name: string, value: string] {
  const [, name, value] = /^([A-Za-z_]\w*)=([\s\S]*)$/u.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw optionError(addSpec.options, "env", `--env needs a name and a value, such as KEY='\${KEY}', not '${text}'`);
  return [name, value];
}

/** A program's path as it is found from everywhere. A name is looked up on `PATH`, and then in this folder. */
function programTyped(command: string, { env }: Streams): string {
  const isHere = !isPath(command) && findProgram(command, env) === undefined && isExecutable(resolve(command));
  return isPath(command) || isHere ? resolve(command) : command;
}

/** The same for the script of an interpreter, and for arguments that look like the name of a file. Other words stay as they are. */
function argumentsTyped(command: string, args: readonly string[]): string[] {
  const script = scriptOf(command, args);
  return args.map((word) => {
    const mayBeFile = word === script || (!word.startsWith("-") && (isPath(word) || /\.\w+$/u.test(word)));
    return mayBeFile && existsSync(word) ? resolve(word) : word;
  });
}

function isPath(word: string): boolean {
  return word.includes("/") || word.includes(sep);
}

function placeTyped(location: string): string {
  return isUrl(location) ? location : resolve(location);
}

/** Starts the agent once: a mistake is better told now than later. @throws {ProgramFailure} if it does not start. */
async function checkStart({ command = "", args = [], env = {} }: ConfiguredAgent, streams: Streams): Promise<void> {
  const expanded = expandVariables(env, streams.env);
  const { launchSettings } = await import("../launch-settings.ts");
  const { withAgent } = await import("../with-agent.ts");
  const launch = { ...launchOfCommand(command, args), env: "env" in expanded ? expanded.env : {} };
  const settings = launchSettings({}, launch);
  try {
    await withAgent(settings, startTimeout, async () => {});
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    const { message, exitCode, advice, details } = error;
    const way = "It was not added. To add it all the same, use --no-check";
    const more = advice === undefined ? details : [`  ${advice}`, ...details];
    throw ProgramFailure.of({ message, exitCode, advice: way, details: more }, error);
  }
}

/** An agent without a command: one of the registry, or a known program on `PATH`. */
async function findAgent(
  name: string,
  cwd: string,
  registry: string | undefined,
  streams: Streams,
): Promise<ConfiguredAgent> {
  const known = findKnownAgent(name);
  if (registry === undefined && known !== undefined && findProgram(known.program, streams.env) !== undefined)
    return { command: known.program, args: known.args };
  const { env } = streams;
  const location = registryOf({ registry: registry && placeTyped(registry) }, findConfigs(cwd, env));
  const found = await loadRegistry(location, env).catch((error: unknown) => {
    throw wrongConfiguration(
      `The registry cannot be read: ${printableLine((error as Error).message)}`,
      `Write the agent's command: acp agents add ${name} -- <command>`,
    );
  });
  const entry = found?.agents.find(({ id }) => id === name);
  if (found !== undefined && entry !== undefined) {
    const { agreeToAdd } = await import("../registry/launch-from-registry.ts");
    agreeToAdd(entry, found, streams);
    // Other names are looked up where they were before.
    return { registry: name, ...(registry === undefined ? {} : { from: placeTyped(registry) }) };
  }
  throw wrongConfiguration(
    `The registry has no agent '${name}'`,
    `Write its command: acp agents add ${name} -- <command>`,
  );
}
