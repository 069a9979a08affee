import type { AgentTurnContext } from "@acp/core/v2";
import { type CommandResult, runCommand as runInTerminal } from "@acp/core/v2/agent";

import type { Conversation } from "../conversation/conversation.ts";
import { type CommandLine, describeCommand } from "../../workspace/command-line.ts";
import { limitPending } from "../../workspace/limit-pending.ts";
import { outputByteLimit, runLocalCommand } from "../../workspace/local-command.ts";
import { commandTimeout } from "../tools/run-command.ts";

/**
 * Runs a command in the agent's process. A tool call with a terminal shows it, and the client can cancel it without
 * cancelling the turn.
 */
export function runCommand(
  { turn, session }: AgentTurnContext<Conversation>,
  command: CommandLine,
): Promise<CommandResult> {
  return runInTerminal(turn, {
    ...command,
    timeout: commandTimeout,
    outputByteLimit,
    call: {
      title: describeCommand(command),
      name: "run_command",
      rawInput: { command: command.command, args: [...command.args], cwd: session.cwd },
    },
    // Does not throw when it is cancelled: the terminal shows how the command ended.
    run: ({ signal, output }) => runLocalCommand(session, command, { signal, onOutput: limitPending(output) }),
  });
}
