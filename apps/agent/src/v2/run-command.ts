import type { AgentTurnContext } from "@acp/core/v2";
import { type CommandResult, type CommandToRun, runCommand as runInTerminal } from "@acp/core/v2/agent";

import type { Conversation } from "../conversation/conversation.ts";
import { type CommandLine, describeCommand } from "../tools/command-line.ts";
import { outputByteLimit, runOwnCommand } from "../tools/own-command.ts";
import { timeLimit } from "../tools/run-command.ts";

/** How much output may wait for a slow client, in bytes. What is more is left out: it would fill the memory. */
const maxWaiting = 1024 * 1024;

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
    run: ({ signal, output }) => runOwnCommand(session, command, { signal, onOutput: atPaceOf(output) }),
  });
}

/** Shows output, but no more than the client takes. */
function atPaceOf(output: CommandToRun["output"]): (bytes: Uint8Array) => void {
  let waiting = 0;
  let isCut = false;
  const show = async (data: string | Uint8Array): Promise<void> => {
    waiting += data.length;
    // What cannot be sent any more is of no interest any more.
    await output(data).catch(() => {});
    waiting -= data.length;
  };
  return (bytes) => {
    const wasCut = isCut;
    isCut = waiting > maxWaiting;
    if (!isCut) void show(bytes);
    else if (!wasCut) void show("\n[Some of the output is left out]\n");
  };
}
