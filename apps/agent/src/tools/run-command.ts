import { RequestError } from "@acp/core";
import { type CommandResult, runCommand as runInTerminal } from "@acp/core/agent";

import type { Task } from "../task.ts";
import { type CommandLine, describeCommand } from "./command-line.ts";
import { runOwnCommand } from "./own-command.ts";

/** How long a command may run, in milliseconds. */
const timeLimit = 120_000;
/** How much of its output is kept, in bytes. */
const outputByteLimit = 256 * 1024;

/**
 * Runs a command in the client's terminal, or in our own if it has none, and reports it as a tool call. `undefined`
 * if it could not be started; the report says why.
 */
export async function runCommand(task: Task, command: CommandLine): Promise<CommandResult | undefined> {
  const { turn, session, signal } = task;
  try {
    return await runInTerminal(turn, {
      ...command,
      timeout: timeLimit,
      outputByteLimit,
      call: {
        title: describeCommand(command),
        name: "run_command",
        rawInput: { command: command.command, args: [...command.args], cwd: session.cwd },
      },
      fallback: () => runOwnCommand(session, { ...command, outputByteLimit }, signal, timeLimit),
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RequestError) return undefined;
    throw error;
  }
}

/** How a command ended, in words: `exit code 1`. */
export function describeEnding({ exitCode, signal, timedOut }: CommandResult): string {
  if (timedOut) return `killed after ${timeLimit / 1000} s`;
  return signal === null ? `exit code ${exitCode ?? "unknown"}` : `ended by ${signal}`;
}
