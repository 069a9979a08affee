import type { AgentSession } from "@acp/core";
import type { Command, CommandResult } from "@acp/core/agent";

import { ownTerminals } from "./own-tools.ts";

/** What a command of our own belongs to: a session, or something that lives as long as a turn. */
export type CommandOwner = Pick<AgentSession<unknown>, "id" | "cwd" | "additionalDirectories" | "signal">;

/** Runs a command without the client, for at most `limit` milliseconds. Rejects once `signal` aborts. */
export async function runOwnCommand(
  session: CommandOwner,
  { command, args = [], outputByteLimit }: Command,
  signal: AbortSignal,
  limit: number,
): Promise<CommandResult> {
  const context = { session, signal: session.signal };
  const params = { sessionId: session.id, command, args: [...args], cwd: session.cwd, outputByteLimit };
  const { terminalId } = await ownTerminals["terminal/create"](params, context);
  const it = { sessionId: session.id, terminalId };
  try {
    const timedOut = !(await endsWithin(limit, signal, (waiting) =>
      ownTerminals["terminal/wait_for_exit"](it, { session, signal: waiting }),
    ));
    if (timedOut) await ownTerminals["terminal/kill"](it, context);
    const { output, truncated, exitStatus } = ownTerminals["terminal/output"](it, context);
    const { exitCode = null, signal: endedBy = null } = exitStatus ?? {};
    return { exitCode, signal: endedBy, output, truncated, timedOut };
  } finally {
    // Ends it, if it still runs.
    await ownTerminals["terminal/release"](it, context);
  }
}

async function endsWithin(
  limit: number,
  signal: AbortSignal,
  wait: (signal: AbortSignal) => Promise<unknown>,
): Promise<boolean> {
  const timeout = AbortSignal.timeout(limit);
  try {
    await wait(AbortSignal.any([signal, timeout]));
    return true;
  } catch (error) {
    if (signal.aborted || !timeout.aborted) throw error;
    return false;
  }
}
