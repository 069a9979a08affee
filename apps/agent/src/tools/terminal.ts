import type { AgentSession } from "@acp/core";

import type { Task } from "../task.ts";
import type { CommandLine } from "./command-line.ts";
import { ownTerminals } from "./own-tools.ts";

/** How a command ended. */
export interface CommandExit {
  readonly exitCode?: number | null;
  readonly signal?: string | null;
}

/** A running command, in the client's terminal or our own. */
export interface Terminal {
  /** The id of a terminal the client can show; `undefined` if it is our own. */
  readonly clientId: string | undefined;
  waitForExit(signal: AbortSignal): Promise<CommandExit>;
  output(): Promise<string>;
  kill(): Promise<void>;
  /** Every terminal is released in the end, or it stays open at the client's (TERM-08). */
  release(): Promise<void>;
}

/** How much of its output is kept, in bytes. */
const outputByteLimit = 256 * 1024;

/** Starts a command in the session's directory, in the client's terminal if it has one (TERM-02). */
export async function openTerminal({ client, session }: Task, { command, args }: CommandLine): Promise<Terminal> {
  if (client.capabilities.terminal !== true) return openOwnTerminal(session, { command, args });
  const params = { command, args: [...args], cwd: session.cwd, outputByteLimit };
  const { terminalId } = await client.request("terminal/create", params);
  return {
    clientId: terminalId,
    waitForExit: (signal) => client.request("terminal/wait_for_exit", { terminalId }, { signal }),
    output: async () => (await client.request("terminal/output", { terminalId })).output,
    kill: async () => {
      await client.request("terminal/kill", { terminalId });
    },
    release: async () => {
      await client.request("terminal/release", { terminalId });
    },
  };
}

/** What a terminal of our own belongs to: a session, or something that lives as long as a turn. */
export type TerminalOwner = Pick<AgentSession<unknown>, "id" | "cwd" | "additionalDirectories" | "signal">;

/** Starts a command without the client. */
export async function openOwnTerminal(session: TerminalOwner, { command, args }: CommandLine): Promise<Terminal> {
  const context = { session, signal: session.signal };
  const params = { sessionId: session.id, command, args, cwd: session.cwd, outputByteLimit };
  const { terminalId } = await ownTerminals["terminal/create"](params, context);
  const it = { sessionId: session.id, terminalId };
  return {
    clientId: undefined,
    waitForExit: (signal) => ownTerminals["terminal/wait_for_exit"](it, { session, signal }),
    output: () => Promise.resolve(ownTerminals["terminal/output"](it, context).output),
    kill: async () => {
      await ownTerminals["terminal/kill"](it, context);
    },
    release: async () => {
      await ownTerminals["terminal/release"](it, context);
    },
  };
}
