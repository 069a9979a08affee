import type { RunCommand } from "../../cli/command.ts";
import { ExitCode, wrongConfiguration } from "../../cli/exit.ts";
import { parseOptions } from "../../cli/options.ts";
import { directoryOf } from "../../cli/option-values.ts";
import { editedFile, requireName } from "./edited-file.ts";
import { removeSpec } from "./agents-spec.ts";

export const run: RunCommand = async (args, { env, output }) => {
  const { values, positionals } = parseOptions(args, removeSpec.options);
  const name = requireName(positionals[0], "remove <name>");
  const file = editedFile(values.project, directoryOf(values.cwd), env);
  if (!Object.hasOwn(file.config.agents ?? {}, name)) {
    throw wrongConfiguration(
      `${file.path} has no agent '${name}'`,
      values.project ? undefined : `--project removes it from the project's configuration`,
    );
  }
  const isLast = Object.keys(file.config.agents ?? {}).length === 1;
  const isDefault = file.config.default === name;
  file.edit([
    { path: isLast ? ["agents"] : ["agents", name], value: undefined },
    ...(isDefault ? [{ path: ["default"], value: undefined }] : []),
  ]);
  output.write(`Removed ${name} from ${file.path}${isDefault ? "; it was the default" : ""}\n`);
  return ExitCode.endTurn;
};
