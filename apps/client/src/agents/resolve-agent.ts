import { ExitCode } from "../cli/exit-code.ts";
import { ProgramFailure } from "../cli/program-failure.ts";
import type { Streams } from "../cli/streams.ts";
import type { AgentSelection } from "./agent-selection.ts";
import { type Launch, launchOfCommand } from "./launch.ts";

/**
 * Finds out how to start the agent that the user has chosen. Asks the user, where there is a terminal, before it trusts a
 * project's configuration or installs a program.
 *
 * @throws {ProgramFailure} if there is no such agent, or the configuration is wrong.
 */
export async function resolveAgent(selection: AgentSelection, _streams: Streams): Promise<Launch> {
  const [command, ...args] = selection.command ?? [];
  if (command !== undefined) return launchOfCommand(command, args);
  throw new ProgramFailure(
    "No agent is chosen",
    ExitCode.usage,
    "Name one, such as acp gemini, or write its command. Write it after --: acp -- gemini --acp",
  );
}
