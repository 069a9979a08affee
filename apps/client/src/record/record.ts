import { recordAgent } from "@acp/inspect/program";

import { selectAgent } from "../agents/agent-selection.ts";
import { resolveAgent } from "../agents/resolve-agent.ts";
import { CommandLineError } from "../cli/exit.ts";
import type { RunCommand } from "../cli/command.ts";
import { parseOptions } from "../cli/options.ts";
import { launchSettings } from "../agents/launch-settings.ts";
import { recordSpec } from "./record-spec.ts";

export const run: RunCommand = async (args, streams) => {
  const { values, positionals, rest } = parseOptions(args, recordSpec.options);
  const [file, surplus] = positionals;
  if (file === undefined) throw new CommandLineError("The file is missing. Write it before --");
  if (surplus !== undefined)
    throw new CommandLineError(`Unexpected argument '${surplus}'. Write the agent's command after --`);
  const launch = await resolveAgent(selectAgent(values, rest, process.cwd()), streams);
  const { agent, framing } = launchSettings(values, launch);
  const exitCode = await recordAgent({ ...agent, framing, file, withSecrets: values["with-secrets"] }, "acp record");
  // Does not wait for a stdout that nobody reads.
  process.exit(exitCode);
};
