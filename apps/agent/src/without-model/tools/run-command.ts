import { RequestError } from "@acp/core";
import type { CommandResult } from "@acp/core/agent";

import type { Task } from "../task.ts";
import type { CommandLine } from "../../workspace/command-line.ts";

/** How long a command may run, in milliseconds. */
export const commandTimeout = 120_000;

/** Runs a command as a tool call. Returns `undefined` if it cannot be started; the tool call shows the reason. */
export async function runCommand(task: Task, command: CommandLine): Promise<CommandResult | undefined> {
  try {
    return await task.runCommand(command);
  } catch (error) {
    task.signal.throwIfAborted();
    if (error instanceof RequestError) return undefined;
    throw error;
  }
}

/** Describes how a command ended: `exit code 1`. */
export function describeExit({ exitCode, signal, timedOut }: CommandResult): string {
  if (timedOut) return `killed after ${commandTimeout / 1000} s`;
  return signal === null ? `exit code ${exitCode ?? "unknown"}` : `ended by ${signal}`;
}
