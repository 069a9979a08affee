import { RequestError } from "@acp/core";
import type { CommandResult } from "@acp/core/agent";

import type { Task } from "../task.ts";
import type { CommandLine } from "./command-line.ts";

/** How long a command may run, in milliseconds. */
export const timeLimit = 120_000;

/** Runs a command and reports it as a tool call. `undefined` if it could not be started; the report says why. */
export async function runCommand(task: Task, command: CommandLine): Promise<CommandResult | undefined> {
  try {
    return await task.runCommand(command);
  } catch (error) {
    task.signal.throwIfAborted();
    if (error instanceof RequestError) return undefined;
    throw error;
  }
}

/** How a command ended, in words: `exit code 1`. */
export function describeEnding({ exitCode, signal, timedOut }: CommandResult): string {
  if (timedOut) return `killed after ${timeLimit / 1000} s`;
  return signal === null ? `exit code ${exitCode ?? "unknown"}` : `ended by ${signal}`;
}
