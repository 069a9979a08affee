import type { Environment } from "../cli/streams.ts";
import type { AgentSelection } from "./agent-selection.ts";
import { type Configs, findConfigs } from "./config/find-configs.ts";
import { isProjectTrusted } from "./consent/trust-project.ts";
import { findProgram, packageOf, knownAgents } from "./known-agents.ts";
import type { LaunchSource } from "./launch.ts";
import { loadRegistry, type LoadOptions, type Registry } from "./registry/load-registry.ts";
import { defaultAgent, registryOf } from "./resolve-agent.ts";

export interface ListedAgent {
  readonly name: string;
  readonly source: LaunchSource;
  /** What is run; `undefined` where the registry decides that. */
  readonly command: string | undefined;
  readonly args: readonly string[];
  readonly version: string | undefined;
  /** What it is called by its makers, or what it is. */
  readonly title: string | undefined;
  /** It is started if no agent is named. */
  readonly isDefault: boolean;
  /** Its project's configuration waits for the user's consent. */
  readonly needsTrust: boolean;
}

/** The agents, each name once: as it would be started. */
export interface AgentList {
  readonly agents: readonly ListedAgent[];
  /** Why the registry's are missing, or old. */
  readonly problem: string | undefined;
}

/** @throws {ProgramFailure} if the configuration is wrong. */
export async function listAgents(
  selection: Pick<AgentSelection, "cwd" | "registry">,
  env: Environment,
  options: LoadOptions = {},
): Promise<AgentList> {
  const configs = findConfigs(selection.cwd, env);
  const [registry, problem] = await readRegistry(registryOf(selection, configs), env, options);
  const byName = new Map<string, Omit<ListedAgent, "isDefault">>();
  for (const agent of [...configured(configs, env, registry), ...onPath(env), ...ofRegistry(registry)]) {
    if (!byName.has(agent.name)) byName.set(agent.name, agent);
  }
  const defaultName = defaultAgent(configs);
  const agents = [...byName.values()].map((agent) => ({ ...agent, isDefault: agent.name === defaultName }));
  return { agents, problem };
}

/** The names that can be listed at once: without asking a server. */
export async function listNames(
  selection: Pick<AgentSelection, "cwd" | "registry">,
  env: Environment,
): Promise<readonly string[]> {
  const { agents } = await listAgents(selection, env, { offline: true });
  return agents.map(({ name }) => name);
}

type Found = Omit<ListedAgent, "isDefault">;

function* configured({ project, user }: Configs, env: Environment, registry: Registry | undefined): Generator<Found> {
  for (const file of [project, user]) {
    if (file === undefined) continue;
    const needsTrust = file.kind === "project" && !isProjectTrusted(file, env);
    for (const [name, { command, args = [], registry: id }] of Object.entries(file.config.agents ?? {})) {
      const known = id === undefined ? undefined : registry?.agents.find((agent) => agent.id === id);
      const source = { kind: file.kind, from: file.path };
      const title = id === undefined ? undefined : `${known?.name ?? id} of the registry`;
      yield { name, source, command, args, version: known?.version, title, needsTrust };
    }
  }
}

function* onPath(env: Environment): Generator<Found> {
  for (const { name, program, args, title } of knownAgents) {
    const path = findProgram(program, env);
    if (path === undefined) continue;
    const source = { kind: "path", from: path } as const;
    yield { name, source, command: path, args, version: packageOf(path)?.version, title, needsTrust: false };
  }
}

function* ofRegistry(registry: Registry | undefined): Generator<Found> {
  for (const { id, version, name } of registry?.agents ?? []) {
    const source = { kind: "registry", from: registry?.location ?? "" } as const;
    yield { name: id, source, command: undefined, args: [], version, title: name, needsTrust: false };
  }
}

/** A list without the registry is better than none. */
async function readRegistry(
  location: string | false | undefined,
  env: Environment,
  options: LoadOptions,
): Promise<[registry: Registry | undefined, problem: string | undefined]> {
  try {
    const registry = await loadRegistry(location, env, options);
    return [registry, registry?.problem];
  } catch (error) {
    return [undefined, error instanceof Error ? error.message : String(error)];
  }
}
