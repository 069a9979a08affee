import { type Terminal, terminals } from "#runtime";

import type { TaskSession } from "../task.ts";
import type { CommandLine } from "./command-line.ts";

/** How much of its output is kept, in bytes. */
export const outputByteLimit: number = 256 * 1024;

/** What a command of our own belongs to: a session, or something that lives as long as a turn. */
export type CommandOwner = Pick<TaskSession, "id" | "cwd" | "additionalDirectories" | "signal">;

export interface OwnCommandOptions {
  /** Ends the command, and all that it has started; so does that of its owner. */
  readonly signal: AbortSignal;
  /** How long it may run, in milliseconds. Default: as long as it takes. */
  readonly limit?: number;
  /** Told what it prints, as it comes. */
  readonly onOutput?: (bytes: Uint8Array) => void;
}

/** What has become of a command. */
export interface OwnCommandResult {
  readonly exitCode: number | null;
  /** The signal that has ended it. */
  readonly signal: string | null;
  readonly output: string;
  readonly truncated: boolean;
  readonly timedOut: boolean;
}

/**
 * Runs a command without the client, in the way in which clients run those of agents: in a process group of its own.
 *
 * @throws {RequestError} if it cannot be started.
 */
export async function runOwnCommand(
  { id, cwd, additionalDirectories, signal: lifetime }: CommandOwner,
  { command, args }: CommandLine,
  { signal, limit, onOutput = () => {} }: OwnCommandOptions,
): Promise<OwnCommandResult> {
  const timeout = new AbortController();
  const timer = limit === undefined ? undefined : setTimeout(() => timeout.abort(), limit);
  const end = AbortSignal.any([lifetime, signal, timeout.signal]);
  const opened: Terminal[] = [];
  const { "terminal/create": create } = terminals({
    outputByteLimit,
    onCreate(terminal) {
      terminal.onOutput(onOutput);
      opened.push(terminal);
    },
  });
  try {
    const session = { id, cwd, additionalDirectories, signal: end };
    await create({ sessionId: id, command, args: [...args], cwd }, { session, signal: end });
    // What is created is opened before.
    const [terminal] = opened as [Terminal];
    const exit = await terminal.exited;
    return { ...exit, ...terminal.output(), timedOut: timeout.signal.aborted };
  } finally {
    clearTimeout(timer);
  }
}
