import type { AgentTurnContext } from "@acp/core/v2";
import { type CommandResult, type CommandToRun, runCommand as runInTerminal } from "@acp/core/v2/agent";

import type { Conversation } from "../conversation/conversation.ts";
import { type CommandLine, describeCommand } from "../tools/command-line.ts";
import { outputByteLimit, runLocalCommand } from "../tools/local-command.ts";
import { commandTimeout } from "../tools/run-command.ts";

/** How much output may be pending for a slow client, in bytes. The rest is discarded, so that memory stays bounded. */
const maxPendingBytes = 1024 * 1024;

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

/** Sends output, but discards it while the client falls behind, and shows a note where some is missing. */
function limitPending(output: CommandToRun["output"]): (bytes: Uint8Array) => void {
  let pendingBytes = 0;
  let isDiscarding = false;
  const send = async (data: string | Uint8Array): Promise<void> => {
    pendingBytes += data.length;
    // Sending fails only once the connection or the turn has ended. Then nobody needs the output.
    await output(data).catch(() => {});
    pendingBytes -= data.length;
  };
  return (bytes) => {
    const wasDiscarding = isDiscarding;
    isDiscarding = pendingBytes > maxPendingBytes;
    if (!isDiscarding) void send(bytes);
    else if (!wasDiscarding) void send("\n[Some output was discarded: the client reads too slowly]\n");
  };
}
