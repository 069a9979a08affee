import { visibleText } from "@acp/core/state";

import { wrongConfiguration } from "../../cli/exit.ts";
import { isInteractive, type Streams } from "../../cli/streams.ts";
import { commandLineOf } from "../../text/command-line-of.ts";
import type { ConfigFile, ConfiguredAgent } from "../config/config.ts";
import { ask, openConsents } from "./consents.ts";
import { variableLines } from "./launch-lines.ts";

/**
 * Makes sure that the user trusts a project's configuration, since everyone who can write to the project can write it. Asks
 * once for each content of the file.
 *
 * @throws {ProgramFailure} if the user does not, or cannot be asked.
 */
export async function trustProject(file: ConfigFile, streams: Streams, isTrusted: boolean): Promise<void> {
  if (isTrusted) return;
  const consents = openConsents(streams.env);
  if (consents.has(subjectOf(file), file.text)) return;
  if (!isInteractive(streams)) {
    throw wrongConfiguration(
      `You have not agreed to start the agents of ${file.path}`,
      "Look at the file, then run this with --trust-project, or once on a terminal",
    );
  }
  const agents = Object.entries(file.config.agents ?? {}).map(
    ([name, agent]) => `  ${visibleText(name)}: ${describe(agent, file).join("\n    ")}\n`,
  );
  const shared = serverLines(file.config.mcpServers).map((line) => `  ${line}\n`);
  const lines = [...agents, ...shared].join("");
  streams.error.write(`The project's configuration starts programs: ${visibleText(file.path)}\n${lines}`);
  if (!(await ask("Trust this file until it changes?", streams))) {
    throw wrongConfiguration(`The agents of ${file.path} are not trusted, so none was started`);
  }
  consents.add(subjectOf(file), file.text);
}

/** Remembers that the user trusts the present content of a project's configuration. */
export function rememberProject(file: Pick<ConfigFile, "path" | "text">, env: Streams["env"]): void {
  openConsents(env).add(subjectOf(file), file.text);
}

/** Whether the user trusts the present content. */
export function isProjectTrusted(file: ConfigFile, env: Streams["env"]): boolean {
  return openConsents(env).has(subjectOf(file), file.text);
}

function subjectOf({ path }: Pick<ConfigFile, "path">): string {
  return `project ${path}`;
}

/** Everything that has an effect on what is started, and on what it may do. */
function describe(agent: ConfiguredAgent, { config }: ConfigFile): string[] {
  const { command, args = [], registry, env = {}, cwd, mode, model, options, login, permissions } = agent;
  const facts = {
    In: cwd,
    Mode: mode,
    Model: model,
    Options: options && JSON.stringify(options),
    Login: login,
    Allowed: permissions && JSON.stringify(permissions),
    "Also in": agent.additionalDirectories?.join(", "),
  };
  const place = agent.from ?? config.registry;
  const ofRegistry = `${registry} of the registry${place === undefined ? "" : ` ${place}`}`;
  return [
    ...(command === undefined ? [visibleText(ofRegistry)] : [visibleText(commandLineOf([command, ...args]))]),
    ...(command === undefined && args.length > 0 ? [`Also: ${visibleText(commandLineOf(args))}`] : []),
    ...variableLines(env),
    ...Object.entries(facts).flatMap(([name, fact]) => (fact === undefined ? [] : [`${name}: ${visibleText(fact)}`])),
    ...serverLines(agent.mcpServers),
  ];
}

/** The MCP servers: what each of them runs, or where it is. */
function serverLines(servers: ConfiguredAgent["mcpServers"] = {}): string[] {
  return Object.entries(servers).flatMap(([name, { command, args = [], env = {}, url = "", headers = {} }]) => [
    `MCP server ${visibleText(name)}: ${visibleText(command === undefined ? url : commandLineOf([command, ...args]))}`,
    ...variableLines(env).map((line) => `  ${line}`),
    ...Object.entries(headers).map(([header, value]) => `  With: ${visibleText(`${header}: ${value}`)}`),
  ]);
}
