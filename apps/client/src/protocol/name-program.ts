import { ConnectionClosedError, TimeoutError } from "@acp/core";

import { programName } from "./program-name.ts";

/**
 * The message of an error. Of one about a process it is the first line, and names the program alone: the command line is
 * long, and may hold keys.
 */
export function nameProgram(error: Error): string {
  const isClosed = error instanceof ConnectionClosedError;
  const process = isClosed || error instanceof TimeoutError ? error.process : undefined;
  if (process === undefined) return error.message;
  const { command, args, pid, event } = process;
  const name = programName(command, args) + (pid === undefined ? "" : ` (pid ${pid})`);
  return `${isClosed ? "The agent process " : ""}${name} ${event}`;
}
