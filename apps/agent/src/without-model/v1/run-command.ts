import type { AgentTurnContext } from "@acp/core";
import { type CommandResult, runCommand as runInTerminal } from "@acp/core/agent";

import type { Conversation } from "../conversation/conversation.ts";
import { type CommandLine, describeCommand } from "../../workspace/command-line.ts";
import { outputByteLimit, runLocalCommand } from "../../workspace/local-command.ts";
import { commandTimeout } from "../tools/run-command.ts";

/** Runs a command in a terminal of the client, or in the agent's process if the client has none. A tool call shows it. */
export function runCommand(
  { turn, session, signal }: AgentTurnContext<Conversation>,
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
    async fallback() {
      const result = await runLocalCommand(session, command, { signal, timeout: commandTimeout });
      signal.throwIfAborted();
      return result;
    },
  });
}
