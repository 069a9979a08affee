import type { RunCommand } from "../cli/command.ts";
import { parseCommandLine } from "./command-line.ts";
import { runClient } from "./run-client.ts";

/** `acp` without the name of a command. */
export const run: RunCommand = async (args, streams) => {
  const { selection, optionsFor } = parseCommandLine(args);
  const { resolveAgent } = await import("../agents/resolve-agent.ts");
  return runClient(optionsFor(await resolveAgent(selection, streams)), streams);
};
