import type { RunCommand } from "../../cli/command.ts";
import { ExitCode, wrongConfiguration } from "../../cli/exit.ts";
import { parseOptions } from "../../cli/options.ts";
import { directoryOf } from "../../cli/option-values.ts";
import { listAgents } from "../list-agents.ts";
import { editedFile, requireName } from "./edited-file.ts";
import { defaultSpec } from "./agents-spec.ts";

export const run: RunCommand = async (args, { env, output }) => {
  const { values, positionals } = parseOptions(args, defaultSpec.options);
  const cwd = directoryOf(values.cwd);
  const place = { cwd, registry: values.registry };
  const { agents } = await listAgents(place, env, { offline: true });
  if (positionals[0] === undefined) {
    const present = agents.find(({ isDefault }) => isDefault);
    if (present === undefined)
      throw wrongConfiguration("There is no default agent", "Choose one: acp agents default <name>");
    output.write(`${present.name}\n`);
    return ExitCode.endTurn;
  }
  const name = requireName(positionals[0], "default <name>");
  const isHere = agents.some((agent) => agent.name === name);
  if (!isHere && !(await listAgents(place, env)).agents.some((agent) => agent.name === name))
    throw wrongConfiguration(`There is no agent '${name}'`, "acp agents lists all");
  const file = editedFile(values.project, cwd, env);
  file.edit([{ path: ["default"], value: name }]);
  output.write(`acp starts ${name} now if you name no agent: ${file.path}\n`);
  return ExitCode.endTurn;
};
