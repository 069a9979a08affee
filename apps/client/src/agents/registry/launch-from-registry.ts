import { visibleText } from "@acp/core/state";
import { printableLine } from "@acp/render/text";

import { type ProgramFailure, wrongConfiguration } from "../../cli/exit.ts";
import { isInteractive, type Streams } from "../../cli/streams.ts";
import { ask, openConsents } from "../consent/consents.ts";
import { launchLines } from "../consent/launch-lines.ts";
import { findProgram } from "../known-agents.ts";
import type { Launch } from "../launch.ts";
import { cannotUnpack } from "./archive/archive-kind.ts";
import { loadRegistry, type Registry } from "./load-registry.ts";
import { type AgentArchive, type PackagedAgent, platformName, type RegistryAgent } from "./registry.ts";

/** Where to look, and whether the user has agreed to run what is found. */
export interface RegistryChoice {
  /** A file or URL; `undefined` for the public registry, `false` for none. */
  readonly location: string | false | undefined;
  /** The user has named the agent in their own configuration. */
  readonly isNamed: boolean;
  /** The user wants no question. */
  readonly isTrusted?: boolean;
}

/**
 * Finds out how to start an agent of a registry; installs its program where that is an archive. `undefined` if there is no
 * such agent.
 *
 * @throws {RegistryError} if the registry cannot be read.
 * @throws {ProgramFailure} if the user does not want to run what it names, or it does not run here.
 */
export async function launchFromRegistry(
  id: string,
  { location, isNamed, isTrusted = false }: RegistryChoice,
  streams: Streams,
): Promise<Launch | undefined> {
  const registry = await readRegistry(location, streams);
  const agent = registry?.agents.find((one) => one.id === id);
  if (registry === undefined || agent === undefined) return undefined;
  const way = chooseWay(agent, streams);
  if (!isTrusted) await requireConsent(agent, way, { registry, isNamed }, streams);
  const source = { kind: "registry", from: registry.location } as const;
  const { archive, args, env } = way;
  if (archive === undefined) return { name: id, ...way, source };
  const { installArchive } = await import("./install-archive.ts");
  return { name: id, command: await installArchive(agent, archive, streams), args, env, source };
}

async function readRegistry(
  location: RegistryChoice["location"],
  { env, error }: Streams,
): Promise<Registry | undefined> {
  const registry = await loadRegistry(location, env);
  if (registry?.problem !== undefined)
    error.write(`The registry cannot be fetched, so an older copy is used: ${printableLine(registry.problem)}\n`);
  return registry;
}

type Way = Required<Pick<Launch, "command" | "args" | "env">> & { readonly archive?: AgentArchive };

/** What an agent can be started by here, the best first: packages, then a program of this platform. */
function waysOf({ id, distribution: { binary = {}, npx, uvx } }: RegistryAgent, { env }: Streams): readonly Way[] {
  const platform = platformName() ?? `${process.platform}-${process.arch}`;
  const archive = Object.hasOwn(binary, platform) ? binary[platform] : undefined;
  const packages = [
    ...(npx === undefined ? [] : [packageWay("npx", ["--yes"], npx)]),
    ...(uvx === undefined ? [] : [packageWay("uvx", [], uvx)]),
  ];
  const isLast = packages.length === 0;
  const reason = archive && cannotUnpack(archive.archive, env);
  if (isLast && reason !== undefined) throw notHere(`${id} cannot be installed: ${reason}`);
  if (archive !== undefined && reason === undefined)
    return [...packages, { command: archive.cmd, args: archive.args, env: archive.env, archive }];
  if (!isLast) return packages;
  const has = Object.keys(binary).map(printableLine).join(", ");
  throw has === ""
    ? notHere(`${id} has no distribution that acp knows`)
    : notHere(`${id} is not made for this machine (${platform}), but for ${has}`);
}

function notHere(message: string): ProgramFailure {
  const advice = "Install it by its own instructions, then add it by: acp agents add <name> -- <command>";
  return wrongConfiguration(message, advice);
}

function packageWay(runner: string, options: readonly string[], { package: name, args, env }: PackagedAgent): Way {
  return { command: runner, args: [...options, name, ...args], env };
}

function isHere({ command, archive }: Way, { env }: Streams): boolean {
  return archive !== undefined || findProgram(command, env) !== undefined;
}

function chooseWay(agent: RegistryAgent, streams: Streams): Way {
  const ways = waysOf(agent, streams);
  const found = ways.find((way) => isHere(way, streams));
  if (found !== undefined) return found;
  const needs = ways.map(({ command }) =>
    command === "npx" ? "npx, which comes with Node.js" : "uvx, which comes with uv",
  );
  throw wrongConfiguration(`${agent.id} needs ${needs.join(", or ")}`, "Install it and try again");
}

/**
 * The user adds an agent of the registry, and agrees to what it runs now.
 *
 * @throws {ProgramFailure} if it cannot run on this machine.
 */
export function agreeToAdd(agent: RegistryAgent, { location }: Pick<Registry, "location">, streams: Streams): void {
  const ways = waysOf(agent, streams);
  const way = ways.find((one) => isHere(one, streams)) ?? ways[0];
  if (way === undefined) return;
  streams.output.write(describe(agent, way, location));
  openConsents(streams.env).add(subjectOf(agent.id, location), contentOf(way));
}

/** Makes sure that the user has agreed to exactly what is run: another version, argument or variable is asked about again. */
async function requireConsent(
  agent: RegistryAgent,
  way: Way,
  { registry, isNamed }: { readonly registry: Registry; readonly isNamed: boolean },
  streams: Streams,
): Promise<void> {
  const { id } = agent;
  const { location } = registry;
  const consents = openConsents(streams.env);
  const content = contentOf(way);
  if (consents.has(subjectOf(id, location), content)) return;
  const isKnown = consents.knows(subjectOf(id, location));
  // Who has written the name into their configuration has chosen it: what it runs today is what they get from now on.
  if (isNamed && !isKnown) return consents.add(subjectOf(id, location), content);
  const shown = describe(agent, way, location);
  if (!isInteractive(streams)) {
    const message = isKnown
      ? `What the registry runs for ${id} has changed since you agreed to it`
      : `${id} is an agent of the registry that you have not added`;
    const advice = `Agree to it by: acp agents add ${id}`;
    throw wrongConfiguration(message, advice, undefined, shown.trimEnd().split("\n"));
  }
  streams.error.write(isKnown ? `${shown}  This has changed since you agreed to it.\n` : shown);
  if (!(await ask("Run it, now and until it changes?", streams)))
    throw wrongConfiguration(`${id} was not started, as you wished`);
  consents.add(subjectOf(id, location), content);
}

function describe({ name, version }: RegistryAgent, way: Way, location: string): string {
  const lines = [
    ...(way.archive === undefined ? [] : [`Downloads: ${visibleText(way.archive.archive)}`]),
    ...launchLines(way),
  ];
  const heading = `${visibleText(`${name} ${version}`)} is an agent of the registry ${visibleText(location)}`;
  return [heading, ...lines.map((line) => `  ${line}`)].map((line) => `${line}\n`).join("");
}

/** All that will run. */
function contentOf({ command, args, env, archive }: Way): string {
  return JSON.stringify([archive?.archive ?? null, command, args, Object.entries(env).toSorted(byName)]);
}

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : 1;
}

function subjectOf(id: string, location: string): string {
  return `registry ${location} ${id}`;
}
