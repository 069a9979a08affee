import { visibleText } from "@acp/core/state";

import { ExitCode } from "../../cli/exit-code.ts";
import { ProgramFailure } from "../../cli/program-failure.ts";
import { isInteractive, type Streams } from "../../cli/streams.ts";
import { printableLine } from "../../text/printable.ts";
import { commandLineOf } from "../command-line-of.ts";
import { ask } from "../consent/ask.ts";
import { openConsents } from "../consent/consents.ts";
import { findProgram } from "../known/find-program.ts";
import type { Launch } from "../launch.ts";
import { loadRegistry, type Registry } from "./load-registry.ts";
import { type AgentArchive, type PackagedAgent, platformName, type RegistryAgent } from "./registry.ts";

/** Where to look, and whether the user has agreed to run what is found. */
export interface RegistryChoice {
  /** A file or URL; `undefined` for the public registry, `false` for none. */
  readonly location: string | false | undefined;
  /** The user has named the agent in a configuration. */
  readonly isAgreed: boolean;
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
  { location, isAgreed }: RegistryChoice,
  streams: Streams,
): Promise<Launch | undefined> {
  const registry = await readRegistry(location, streams);
  const agent = registry?.agents.find((one) => one.id === id);
  if (registry === undefined || agent === undefined) return undefined;
  const way = chooseWay(agent, streams);
  if (!isAgreed) await agreeOnce(agent, way, registry, streams);
  const source = { kind: "registry", from: registry.location } as const;
  if (way.kind === "package") return { name: id, ...way.run, source };
  const { installArchive } = await import("./install-archive.ts");
  const command = await installArchive(agent, way.archive, streams);
  return { name: id, command, args: way.archive.args, env: way.archive.env, source };
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

/** One way to start an agent. */
type Way =
  | { readonly kind: "package"; readonly run: Pick<Launch, "command" | "args" | "env"> }
  | { readonly kind: "archive"; readonly archive: AgentArchive };

/** A program of this platform first, which starts fastest; then packages whose runner is here. */
function chooseWay({ id, distribution: { binary = {}, npx, uvx } }: RegistryAgent, { env }: Streams): Way {
  const platform = platformName() ?? `${process.platform}-${process.arch}`;
  const archive = Object.hasOwn(binary, platform) ? binary[platform] : undefined;
  if (npx !== undefined && findProgram("npx", env) !== undefined) return packageWay("npx", ["--yes"], npx);
  if (uvx !== undefined && findProgram("uvx", env) !== undefined) return packageWay("uvx", [], uvx);
  if (archive !== undefined) return { kind: "archive", archive };
  const needs = [
    ...(npx === undefined ? [] : ["npx, which comes with Node.js"]),
    ...(uvx === undefined ? [] : ["uvx, which comes with uv"]),
  ];
  if (needs.length > 0)
    throw new ProgramFailure(`${id} needs ${needs.join(", or ")}`, ExitCode.configuration, "Install it and try again");
  const has = Object.keys(binary).map(printableLine).join(", ");
  throw new ProgramFailure(`${id} is not made for this machine (${platform}), but for ${has}`, ExitCode.configuration);
}

function packageWay(runner: string, options: readonly string[], { package: name, args, env }: PackagedAgent): Way {
  return { kind: "package", run: { command: runner, args: [...options, name, ...args], env } };
}

/** Asks once for each agent, since a mistyped name must not run somebody's program. */
async function agreeOnce(
  { id, name, version }: RegistryAgent,
  way: Way,
  { location }: Registry,
  streams: Streams,
): Promise<void> {
  const consents = openConsents(streams.env);
  if (consents.has(subjectOf(id, location), id)) return;
  if (!isInteractive(streams)) {
    throw new ProgramFailure(
      `${id} is an agent of the registry that you have not added`,
      ExitCode.configuration,
      `Add it by: acp agents add ${id}`,
    );
  }
  const action =
    way.kind === "package"
      ? `Runs: ${commandLineOf(way.run.command, way.run.args)}`
      : `Downloads and runs: ${way.archive.archive}`;
  streams.error.write(
    `${visibleText(`${name} ${version}`)} is an agent of the registry ${visibleText(location)}\n  ${visibleText(action)}\n`,
  );
  if (!(await ask("Run it, now and from now on?", streams)))
    throw new ProgramFailure(`${id} was not started, as you wished`, ExitCode.configuration);
  consents.add(subjectOf(id, location), id);
}

function subjectOf(id: string, location: string): string {
  return `registry ${location} ${id}`;
}
