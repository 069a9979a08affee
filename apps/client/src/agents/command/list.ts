import { visibleText } from "@acp/core/state";

import type { RunCommand } from "../../cli/command.ts";
import { CommandLineError, ExitCode } from "../../cli/exit.ts";
import { parseOptions } from "../../cli/options.ts";
import { directoryOf } from "../../cli/option-values.ts";
import { createStyle, type Style } from "../../text/style.ts";
import { commandLineOf } from "../../text/command-line-of.ts";
import { type AgentList, listAgents, type ListedAgent, listNames } from "../list-agents.ts";
import { listSpec } from "./agents-spec.ts";
import { jsonText } from "../../text/json-text.ts";

export const run: RunCommand = async (args, { env, output, error }) => {
  const { values } = parseOptions(args, listSpec.options);
  if (values.json && values.names) throw new CommandLineError("--json and --names cannot be combined. Use one of them");
  const selection = { cwd: directoryOf(values.cwd), registry: values.registry };
  if (values.names) {
    const names = await listNames(selection, env);
    output.write(names.map((name) => `${name}\n`).join(""));
    return ExitCode.endTurn;
  }
  const found = await listAgents(selection, env);
  if (values.json) output.write(`${jsonText(toJson(found), 2)}\n`);
  else output.write(describe(found.agents, createStyle(output.isTTY === true, env)));
  if (found.problem !== undefined)
    error.write(`acp agents: the registry cannot be read: ${visibleText(found.problem)}\n`);
  return ExitCode.endTurn;
};

/** Members that are not known are left out. */
function toJson({ agents, problem }: AgentList): object {
  return {
    agents: agents.map(({ name, source, command, args, version, title, isDefault, needsTrust }) => ({
      name,
      source: source.kind,
      from: source.from,
      command,
      args: command === undefined ? undefined : args,
      version,
      title,
      default: isDefault,
      trusted: !needsTrust,
    })),
    problem,
  };
}

const headings = {
  project: "In the project's configuration",
  user: "In your configuration",
  path: "On PATH",
  registry: "In the registry (add one by: acp agents add <name>)",
  command: "",
} as const;

function describe(agents: readonly ListedAgent[], style: Style): string {
  if (agents.length === 0) return "There are no agents. Add one by: acp agents add <name> -- <command>\n";
  const width = Math.max(...agents.map(({ name }) => name.length));
  const sections = (["project", "user", "path", "registry"] as const).flatMap((kind) => {
    const own = agents.filter(({ source }) => source.kind === kind);
    if (own.length === 0) return [];
    const from = kind === "project" || kind === "user" ? `, ${own[0]?.source.from}` : "";
    const lines = own.map((agent) => describeAgent(agent, width, style));
    return [`${style("bold", visibleText(headings[kind] + from))}\n${lines.join("")}`];
  });
  return sections.join("\n");
}

function describeAgent(
  { name, version, title, command, args, isDefault, needsTrust }: ListedAgent,
  width: number,
  style: Style,
): string {
  const words = [
    ...(command === undefined ? [] : [visibleText(commandLineOf([command, ...args]))]),
    ...(title === undefined ? [] : [style("dim", visibleText(title))]),
    ...(version === undefined ? [] : [style("dim", visibleText(version))]),
    ...(isDefault ? [style("green", "(default)")] : []),
    ...(needsTrust ? [style("yellow", "(not trusted yet)")] : []),
  ];
  return `  ${style("cyan", visibleText(name).padEnd(width))}  ${words.join("  ")}\n`;
}
