import { isAbsolute, join, resolve } from "node:path";

import { printableLine } from "@acp/render/text";

import { ExitCode, ProgramFailure, wrongConfiguration } from "../cli/exit.ts";
import { mistyped, nearest } from "../cli/options.ts";
import type { Streams } from "../cli/streams.ts";
import { type AgentSelection, selectKnown } from "./agent-selection.ts";
import type { ConfigFile, ConfiguredAgent } from "./config/config.ts";
import { expandVariables } from "./config/expand-variables.ts";
import { type Configs, findConfigs } from "./config/find-configs.ts";
import { trustProject } from "./consent/trust-project.ts";
import { findProgram, findKnownAgent, knownAgents } from "./known-agents.ts";
import { isUrl } from "./registry/fetch-file.ts";
import { loadRegistry, RegistryError } from "./registry/load-registry.ts";
import type { ConfiguredPermissions } from "../protocol/permission/settings.ts";
import { type Launch, launchOfCommand, type NamedAgent, withKnown } from "./launch.ts";
import { type LaunchSettings, launchSettings } from "./launch-settings.ts";
import { behindHub, throughHub } from "./through-hub.ts";

/**
 * Finds out how to start the agent that the user has chosen: by its name in the project's configuration, then in the user's,
 * then among the known programs on `PATH`, then in the registry. Asks the user, where there is a terminal, before it trusts a
 * project's configuration or an agent of the registry.
 *
 * @throws {ProgramFailure} if there is no such agent, or the configuration is wrong.
 */
export async function resolveAgent(selection: AgentSelection, streams: Streams): Promise<Launch> {
  const [command, ...args] = selection.command ?? [];
  if (selection.name === undefined && command !== undefined) return launchOfCommand(command, args);
  const configs = findConfigs(selection.cwd, streams.env);
  const name = selection.name ?? defaultAgent(configs);
  if (name === undefined) throw nothingChosen(configs, streams);
  const launch = await findByName(name, configs, selection, streams);
  if (launch !== undefined) return launch;
  if (command !== undefined) return launchOfCommand(command, args);
  throw notFound(name, configs, streams);
}

/** How to start the agent of a session. `place`: a selection without a name and a command. */
export async function resolveKnown(
  agent: NamedAgent,
  place: AgentSelection,
  streams: Streams,
): Promise<LaunchSettings> {
  const kept = behindHub(agent);
  const direct = withKnown(await resolveAgent(selectKnown(place, kept ?? agent), streams), agent);
  return launchSettings({}, kept === undefined ? direct : throughHub(direct));
}

/** The name of the agent to start if none is named. */
export function defaultAgent({ project, user }: Configs): string | undefined {
  return project?.config.default ?? user?.config.default;
}

async function findByName(
  name: string,
  configs: Configs,
  selection: AgentSelection,
  streams: Streams,
): Promise<Launch | undefined> {
  for (const file of [configs.project, configs.user]) {
    const agents = file?.config.agents ?? {};
    const agent = Object.hasOwn(agents, name) ? agents[name] : undefined;
    if (file === undefined || agent === undefined) continue;
    if (file.kind === "project") await trustProject(file, streams, selection.trustProject === true);
    return launchConfigured(name, agent, file, { configs, selection, streams });
  }
  const known = findKnownAgent(name);
  const program = known && findProgram(known.program, streams.env);
  if (known !== undefined && program !== undefined)
    return { name, command: program, args: known.args, source: { kind: "path", from: program } };
  const location = registryOf(selection, configs);
  // What is almost the name of an agent here is a mistake: a registry is asked for it only if the user names one.
  if (known === undefined && selection.registry === undefined && mistyped(name, namesHere(configs)) !== undefined) {
    const copy = await loadRegistry(location, streams.env, { offline: true }).catch(() => undefined);
    if (copy?.agents.every(({ id }) => id !== name) ?? true) return undefined;
  }
  const { launchFromRegistry } = await import("./registry/launch-from-registry.ts");
  try {
    return await launchFromRegistry(name, { location, isNamed: false }, streams);
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    const message = `There is no agent '${printableLine(name)}' here, and the registry cannot be read`;
    throw wrongConfiguration(`${message}: ${printableLine(error.message)}`, adviceFor(name, configs, streams));
  }
}

async function launchConfigured(
  name: string,
  agent: ConfiguredAgent,
  file: ConfigFile,
  { configs, selection, streams }: { configs: Configs; selection: AgentSelection; streams: Streams },
): Promise<Launch> {
  const { registry, command = "", args = [], env: variables = {}, from, cwd, permissions, ...more } = agent;
  const { mcpServers = {}, additionalDirectories = [], ...own } = more;
  const expanded = expandVariables(variables, streams.env);
  if ("missing" in expanded) {
    const { member, variable } = expanded.missing;
    throw wrongConfiguration(
      `${file.path}: agents.${name}.env.${printableLine(member)} needs the variable ${variable}, which is not set`,
      `Set it: export ${variable}=…`,
    );
  }
  const settings = {
    name,
    source: { kind: file.kind, from: file.path },
    ...own,
    ...(cwd === undefined ? {} : { cwd: resolve(file.base, cwd) }),
    ...(permissions === undefined ? {} : { permissions: permissionsOf(permissions, file, selection.cwd) }),
    setup: {
      mcpServers,
      place: `${file.path}: agents.${name}`,
      base: file.base,
      additionalDirectories: absolute(additionalDirectories, file, selection.cwd),
    },
  };
  if (registry === undefined) return { ...settings, command: programOf(command, file), args, env: expanded.env };
  const { launchFromRegistry } = await import("./registry/launch-from-registry.ts");
  const location = placeOf(from, file) ?? placeOf(file.config.registry, file) ?? registryOf(selection, configs);
  const choice = {
    location,
    isNamed: file.kind === "user",
    isTrusted: file.kind === "project" && selection.trustProject === true,
  };
  const launch = await launchFromRegistry(registry, choice, streams).catch((error: unknown) => {
    if (!(error instanceof RegistryError)) throw error;
    throw wrongConfiguration(
      `The agent '${name}' comes from the registry, which cannot be read: ${printableLine(error.message)}`,
      "Try again when it can be reached; a copy of it is kept then",
    );
  });
  if (launch === undefined) {
    throw wrongConfiguration(
      `${file.path}: agents.${name}.registry is '${registry}', and the registry has no such agent`,
      "acp agents lists those that it has",
    );
  }
  return { ...launch, ...settings, args: [...launch.args, ...args], env: { ...launch.env, ...expanded.env } };
}

/** The registry for names: a project's file cannot choose it for agents that are not in that file. */
export function registryOf(selection: Pick<AgentSelection, "registry">, configs: Configs): string | false | undefined {
  return selection.registry ?? (configs.user && placeOf(configs.user.config.registry, configs.user));
}

/** Where a registry is: a relative path starts from where its configuration says. */
function placeOf(location: string | false | undefined, { base }: ConfigFile): string | false | undefined {
  return typeof location !== "string" || isUrl(location) ? location : resolve(base, location);
}

/** A path starts from where its configuration says; a name is looked up on `PATH`. */
function programOf(command: string, file: ConfigFile): string {
  return /[/\\]/u.test(command) && !isAbsolute(command) ? join(file.base, command) : command;
}

/** Paths in it are absolute then. */
function permissionsOf(
  { allowRead, allowEdit, ...own }: ConfiguredPermissions,
  file: ConfigFile,
  cwd: string,
): ConfiguredPermissions {
  return {
    ...own,
    ...(allowRead === undefined ? {} : { allowRead: absolute(allowRead, file, cwd) }),
    ...(allowEdit === undefined ? {} : { allowEdit: absolute(allowEdit, file, cwd) }),
  };
}

/** Folders of a project's file start from the project, those of the user's from the directory of the session. */
function absolute(paths: readonly string[], { kind, base }: ConfigFile, cwd: string): readonly string[] {
  return paths.map((path) => resolve(kind === "project" ? base : cwd, path));
}

function nothingChosen(configs: Configs, streams: Streams): ProgramFailure {
  return new ProgramFailure("No agent is chosen", ExitCode.usage, whatThereIs(configs, streams));
}

function notFound(name: string, configs: Configs, streams: Streams): ProgramFailure {
  const known = findKnownAgent(name);
  const message =
    known === undefined
      ? `There is no agent '${printableLine(name)}'`
      : `${known.title} is not installed: there is no '${known.program}' on PATH, and no '${name}' in the registry`;
  return wrongConfiguration(message, adviceFor(name, configs, streams));
}

/** What to do about a name that means nothing here. */
function adviceFor(name: string, configs: Configs, streams: Streams): string {
  const install = findKnownAgent(name)?.install;
  const near = nearest(name, namesHere(configs));
  const first =
    install !== undefined ? `Install it: ${install}. ` : near !== undefined ? `Did you mean '${near}'? ` : "";
  return first + whatThereIs(configs, streams);
}

function namesHere(configs: Configs): readonly string[] {
  return [...Object.keys(agentsIn(configs)), ...knownAgents.map(({ name }) => name)];
}

function agentsIn({ project, user }: Configs): Readonly<Record<string, ConfiguredAgent>> {
  return { ...user?.config.agents, ...project?.config.agents };
}

function whatThereIs(configs: Configs, { env }: Streams): string {
  const names = new Set([
    ...Object.keys(agentsIn(configs)),
    ...knownAgents.filter(({ program }) => findProgram(program, env) !== undefined).map(({ name }) => name),
  ]);
  const command = "write its command. Write it after --: acp -- gemini --acp";
  if (names.size === 0) return `Name one of the registry (acp agents lists them), or ${command}`;
  return `Name one of ${[...names].join(", ")} (acp agents lists more), or ${command}`;
}
