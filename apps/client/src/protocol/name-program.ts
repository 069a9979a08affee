import { basename } from "node:path";

import { ConnectionClosedError, TimeoutError } from "@acp/core";

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

/** Options of `env` whose next word belongs to them. */
const withValue: ReadonlySet<string> = new Set(["-u", "--unset", "-C", "--chdir"]);

/**
 * The name of the program that a command starts, for messages: `node` for `env KEY=… /usr/bin/node agent.js`. The rest of the
 * command is long, and may hold keys.
 */
export function programName(command: string, args: readonly string[]): string {
  const name = basename(command);
  if (name !== "env") return name;
  let isValue = false;
  for (const [index, word] of args.entries()) {
    // `env` splits this text into the words of the command by itself.
    if (/^(?:-S|--split-string)/u.test(word)) return name;
    if (isValue) isValue = false;
    else if (withValue.has(word)) isValue = true;
    else if (!word.startsWith("-") && !/^\w+=/u.test(word)) return programName(word, args.slice(index + 1));
  }
  return name;
}
