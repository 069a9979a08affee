import type { AgentTurnContext } from "@acp/core";
import { type CommandResult, runCommand as runInTerminal } from "@acp/core/agent";

import type { Conversation } from "../conversation/conversation.ts";
import { type CommandLine, describeCommand } from "../tools/command-line.ts";
import { outputByteLimit, runOwnCommand } from "../tools/own-command.ts";
import { timeLimit } from "../tools/run-command.ts";

/** Runs a command in the client's terminal, or in our own if it has none, and reports it as a tool call. */
export function runCommand(
  { turn, session, signal }: AgentTurnContext<Conversation>,
  command: CommandLine,
): Promise<CommandResult> {
  return runInTerminal(turn, {
    ...command,
    timeout: timeLimit,
    outputByteLimit,
    call: {
      title: describeCommand(command),
      name: "run_command",
      rawInput: { command: command.command, args: [...command.args], cwd: session.cwd },
    },
    async fallback() {
      const result = await runOwnCommand(session, command, { signal, limit: timeLimit });
      signal.throwIfAborted();
      return result;
    },
  });
}
