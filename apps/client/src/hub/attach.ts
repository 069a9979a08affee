import { createByteTransport, type Transport } from "@acp/core";
import { connectToHub, HubRefusal, ownEnvironment, relayToHub } from "@acp/hub";
import { createNodePipe } from "@acp/node";
import { redactLine } from "@acp/record";
import { fileURLToPath } from "node:url";

import { selectOne } from "../agents/agent-selection.ts";
import { resolveAgent } from "../agents/resolve-agent.ts";
import type { RunCommand } from "../cli/command.ts";
import { ExitCode, ProgramFailure } from "../cli/exit.ts";
import { parseOptions } from "../cli/options.ts";
import { commandLineOf } from "../text/command-line-of.ts";
import { hubFolder } from "./hub-folder.ts";
import { attachSpec } from "./hub-spec.ts";
import { scriptCommand } from "../agents/script-command.ts";

export const run: RunCommand = async (args, streams) => {
  const { values, positionals, rest } = parseOptions(args, attachSpec.options);
  const launch = await resolveAgent(selectOne(values, positionals, rest, process.cwd()), streams);
  const folder = hubFolder(values.folder, streams.env);
  const { command, args: agentArgs } = launch;
  const name = values.name ?? launch.name ?? redactLine(commandLineOf([command, ...agentArgs]));
  // The agent belongs to this environment, whoever has started the hub.
  const { cwd = process.cwd() } = launch;
  const agent = { name, command, args: agentArgs, cwd, env: { ...ownEnvironment(), ...launch.env } };
  const [runtime, ...script] = scriptCommand(fileURLToPath(new URL("main.js", import.meta.url)));
  const program: [string, ...string[]] = [runtime, ...script, "hub", "--folder", folder];
  const connect = async (): Promise<Transport> => {
    const socket = await connectToHub(folder, { agent }, program);
    return createByteTransport(createNodePipe(socket));
  };
  try {
    await relayToHub({ client: createByteTransport(createNodePipe(process.stdin, process.stdout)), connect });
    return ExitCode.endTurn;
  } catch (error) {
    if (error instanceof HubRefusal) throw new ProgramFailure(error.message, ExitCode.agentEnded, undefined, error);
    throw new ProgramFailure(
      `The hub cannot be reached: ${error instanceof Error ? error.message : String(error)}`,
      ExitCode.failure,
      "acp hub --verbose starts one that says what is wrong",
      error,
    );
  }
};
