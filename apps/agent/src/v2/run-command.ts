import type { AgentTurnContext } from "@acp/core/v2";
import { type CommandResult, runCommand as runInTerminal } from "@acp/core/v2/agent";

import type { Conversation } from "../conversation/conversation.ts";
import { type CommandLine, describeCommand } from "../tools/command-line.ts";
import { outputByteLimit, runOwnCommand } from "../tools/own-command.ts";
import { timeLimit } from "../tools/run-command.ts";

/** Runs a command of our own, and reports it as a tool call with a terminal. The client may cancel it alone. */
export function runCommand(
  { turn, session }: AgentTurnContext<Conversation>,
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
    // The exit code, or the signal that has ended it, is told of commands that are cancelled, too.
    run: ({ signal, output }) => runOwnCommand(session, command, { signal, onOutput: (bytes) => void output(bytes) }),
  });
}
