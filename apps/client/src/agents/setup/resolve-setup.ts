import { printableLine } from "@acp/render/text";

import { ProgramFailure } from "../../cli/exit.ts";
import { directoryOf } from "../../cli/option-values.ts";
import type { ParsedOptions } from "../../cli/options.ts";
import type { runOptions } from "../../cli/shared-options.ts";
import type { Streams } from "../../cli/streams.ts";
import type { SessionServer, SessionSetup } from "../../protocol/session-setup.ts";
import type { ConfigFile } from "../config/config.ts";
import { findConfigs } from "../config/find-configs.ts";
import { isFolder } from "../known-agents.ts";
import { trustProject } from "../consent/trust-project.ts";
import type { ConfiguredServer, Launch, ServerSource } from "../launch.ts";
import { readMcpConfig } from "./read-mcp-config.ts";
import { knownMembers, toServer } from "./to-server.ts";

/** What sessions get, and sentences for the user. */
export interface ResolvedSetup extends SessionSetup {
  /** What is left out, since it cannot work. */
  readonly problems: readonly string[];
  /** What is ignored, and does no harm. */
  readonly remarks: readonly string[];
}

/** What the command line says of sessions. */
export interface WantedSetup {
  /** The directory of the session; absolute, as those below. */
  readonly cwd: string;
  readonly folders: readonly string[];
  readonly sources: readonly ServerSource[];
  readonly trustsProject: boolean;
}

/** @throws {CommandLineError} for a folder or a file that is not there. */
export function setupOf(
  values: Pick<ParsedOptions<typeof runOptions>["values"], "mcp-config" | "add-dir" | "trust-project">,
  cwd: string,
): WantedSetup {
  return {
    cwd,
    folders: values["add-dir"].map((path) => directoryOf(path, "--add-dir")),
    sources: values["mcp-config"].map((value) => readMcpConfig(value, cwd)),
    trustsProject: values["trust-project"],
  };
}

/**
 * Collects the MCP servers and folders of a session: from the user's configuration, the project's, that of the agent, and the
 * command line. Of servers with the same name, the last one counts. A project's servers are programs of others: without the
 * user's consent they are left out.
 *
 * @throws {ProgramFailure} if the configuration is wrong, or a server needs a variable that is not set.
 */
export async function resolveSetup(
  { setup }: Pick<Launch, "setup">,
  { cwd, folders, sources, trustsProject }: WantedSetup,
  streams: Streams,
): Promise<ResolvedSetup> {
  const { project, user } = findConfigs(cwd, streams.env);
  const problems: string[] = [];
  const remarks: string[] = [];
  const byName = new Map<string, readonly [server: ConfiguredServer, source: ServerSource]>();
  const ofProject = await agreedServers(project, streams, trustsProject, problems);
  for (const source of [...sourceOf(user), ...ofProject, ...(setup === undefined ? [] : [setup]), ...sources]) {
    for (const [name, server] of Object.entries(source.mcpServers)) byName.set(name, [server, source]);
  }
  const mcpServers: SessionServer[] = [];
  for (const [name, [server, source]] of byName) {
    if (server.disabled === true) continue;
    const made = toServer(name, server, source, { ...streams.env, workspaceFolder: cwd });
    if (typeof made === "string") problems.push(`The MCP server '${printableLine(name)}' is left out: ${made}`);
    else mcpServers.push(made);
    const ignored = Object.keys(server).filter((member) => !knownMembers.has(member));
    if (ignored.length > 0)
      remarks.push(`Of the MCP server '${printableLine(name)}', acp ignores ${printableLine(ignored.join(", "))}`);
  }
  const wanted = [...new Set([...(setup?.additionalDirectories ?? []), ...folders])];
  for (const folder of wanted.filter((path) => !isFolder(path)))
    problems.push(`The folder ${printableLine(folder)} is left out: there is no such folder`);
  return { mcpServers, additionalDirectories: wanted.filter(isFolder), problems, remarks };
}

function sourceOf(file: ConfigFile | undefined): readonly ServerSource[] {
  const { mcpServers } = file?.config ?? {};
  return file === undefined || mcpServers === undefined ? [] : [{ mcpServers, place: file.path, base: file.base }];
}

async function agreedServers(
  file: ConfigFile | undefined,
  streams: Streams,
  isTrusted: boolean,
  problems: string[],
): Promise<readonly ServerSource[]> {
  const sources = sourceOf(file);
  if (file === undefined || sources.length === 0) return [];
  try {
    await trustProject(file, streams, isTrusted);
    return sources;
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    const advice = "Look at the file, then use --trust-project";
    problems.push(`The MCP servers of ${file.path} are left out: you have not agreed to start them. ${advice}`);
    return [];
  }
}
