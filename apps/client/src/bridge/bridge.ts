import { bridgeAgent } from "@acp/hub/bridge";

import { fileSystem, serveStdio, spawnTransport, terminals } from "#runtime";

import { selectAgent } from "../agents/agent-selection.ts";
import { framingOf } from "../agents/launch-settings.ts";
import { resolveAgent } from "../agents/resolve-agent.ts";
import type { RunCommand } from "../cli/command.ts";
import { CommandLineError, ExitCode } from "../cli/exit.ts";
import { parseOptions } from "../cli/options.ts";
import { bridgeSpec } from "./bridge-spec.ts";

export const run: RunCommand = async (args, streams) => {
  const { values, positionals, rest } = parseOptions(args, bridgeSpec.options);
  const [surplus] = positionals;
  if (surplus !== undefined)
    throw new CommandLineError(`Unexpected argument '${surplus}'. Write the agent's command after --`);
  const launch = await resolveAgent(selectAgent(values, rest, process.cwd()), streams);
  const { command, args: agentArgs, env } = launch;
  const framing = framingOf(values.framing ?? launch.framing);
  const onStderr = (line: string): void => void streams.error.write(`${line}\n`);
  let hasAgentEnded = true;
  await serveStdio(
    bridgeAgent({
      async connect({ signal }) {
        const agent = await spawnTransport({ command, args: agentArgs, env, framing, onStderr });
        hasAgentEnded = false;
        void agent.process.exited.then(() => (hasAgentEnded ||= !signal.aborted));
        return agent;
      },
      fileSystem,
      terminals: (options) => terminals(options),
    }),
  );
  return hasAgentEnded ? ExitCode.agentEnded : ExitCode.endTurn;
};
