import { type Terminal, terminals } from "#runtime";

import { keyVariables } from "../model/model-config.ts";
import type { CommandLine } from "./command-line.ts";
import type { LocalSession } from "./local-session.ts";

/** How much output of a command is kept, in bytes. */
export const outputByteLimit: number = 256 * 1024;

export interface LocalCommandOptions {
  /** Ends the command and all processes that it has started, as the signal of its owner does. */
  readonly signal: AbortSignal;
  /** Whether the command is a line for the shell. Default: it is a program, with its arguments. */
  readonly isShellLine?: boolean;
  /** Where it runs; absolute. Default: the directory of the session. */
  readonly directory?: string | undefined;
  /** Variables that the command does not get from the environment of the agent. Default: the usual keys of models. */
  readonly withoutVariables?: readonly string[] | undefined;
  /** Ends the command after this many milliseconds. Default: never. */
  readonly timeout?: number;
  /** Receives the output as it arrives. */
  readonly onOutput?: (bytes: Uint8Array) => void;
}

/** How a command ended, and its output. */
export interface LocalCommandResult {
  readonly exitCode: number | null;
  /** The signal that ended the command, if one did. */
  readonly signal: string | null;
  readonly output: string;
  /** Whether the beginning of the output is missing, because it exceeded {@link outputByteLimit}. */
  readonly truncated: boolean;
  readonly timedOut: boolean;
}

/**
 * Runs a command on this machine instead of in a terminal of the client. Like a client, it starts the command in a process
 * group of its own.
 *
 * @throws {RequestError} if the command cannot be started.
 */
export async function runLocalCommand(
  { id, cwd, additionalDirectories, signal: lifetime }: LocalSession,
  { command, args }: CommandLine,
  {
    signal,
    isShellLine = false,
    directory = cwd,
    withoutVariables = keyVariables,
    timeout,
    onOutput,
  }: LocalCommandOptions,
): Promise<LocalCommandResult> {
  const timedOut = new AbortController();
  const timer = timeout === undefined ? undefined : setTimeout(() => timedOut.abort(), timeout);
  const end = AbortSignal.any([lifetime, signal, timedOut.signal]);
  const opened: Terminal[] = [];
  const { "terminal/create": create } = terminals({
    outputByteLimit,
    ...(isShellLine ? { shell: true } : {}),
    env: Object.fromEntries(withoutVariables.map((name) => [name, undefined])),
    onCreate(terminal) {
      if (onOutput !== undefined) terminal.onOutput(onOutput);
      opened.push(terminal);
    },
  });
  try {
    const session = { id, cwd, additionalDirectories, signal: end };
    await create({ sessionId: id, command, args: [...args], cwd: directory }, { session, signal: end });
    // `create` calls `onCreate` before it resolves.
    const [terminal] = opened as [Terminal];
    const exit = await terminal.exited;
    return { ...exit, ...terminal.output(), timedOut: timedOut.signal.aborted };
  } finally {
    clearTimeout(timer);
  }
}
