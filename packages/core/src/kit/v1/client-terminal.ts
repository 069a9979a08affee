import type { TerminalExitStatus } from "@acp/schema/v1/types";
import { sharedAbort } from "../../base/abort.ts";
import { backgroundTimer } from "../../base/timers.ts";
import { pendingAfterAbort } from "../../session/agent/pending-after-abort.ts";
import type * as shared from "../shared/command.ts";
import type { AnyTurn } from "./any-session.ts";

/** A command for a client to run. */
export interface Command extends shared.Command {
  /** Environment variables to add to the client's own. Default: none. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The maximum number of bytes of output to keep. Older output is dropped. Default: the client decides. */
  readonly outputByteLimit?: number | undefined;
}

/** A command that runs in a terminal of the client. */
export interface ClientTerminal {
  readonly id: string;
  /**
   * Waits for the command to end, and kills it after `timeout` milliseconds.
   *
   * @throws the reason of the turn's signal if it aborts.
   */
  finish(timeout: number | undefined): Promise<shared.CommandResult>;
  /**
   * Kills the command if it is still running, and releases the terminal. Never rejects. After the turn is cancelled, it
   * resolves soon.
   */
  release(): Promise<void>;
}

/** Starts a command. */
export async function openTerminal(turn: AnyTurn, command: Command): Promise<ClientTerminal> {
  const { client } = turn.session;
  const release = async (terminalId: string): Promise<void> => {
    // If this fails, the client has already lost the terminal, or is gone.
    await pendingAfterAbort(client.request("terminal/release", { terminalId }), turn.signal);
  };
  const creating = create(turn, command);
  if (await pendingAfterAbort(creating, turn.signal)) {
    // The client may be asking its user, who has no reason to answer any more. If it starts the command yet, end it.
    creating.then(release, () => {});
    throw turn.signal.reason;
  }
  const id = await creating;
  return { id, finish: (timeout) => finish(turn, id, timeout), release: () => release(id) };
}

async function create({ session }: AnyTurn, { env, args, cwd, outputByteLimit, command }: Command): Promise<string> {
  const { terminalId } = await session.client.request("terminal/create", {
    command,
    cwd: cwd ?? session.cwd,
    ...(args && { args: [...args] }),
    ...(env && { env: Object.entries(env).map(([name, value]) => ({ name, value })) }),
    ...(outputByteLimit != null && { outputByteLimit }),
  });
  return terminalId;
}

async function finish(
  { session: { client }, signal }: AnyTurn,
  terminalId: string,
  timeout: number | undefined,
): Promise<shared.CommandResult> {
  signal.throwIfAborted();
  const waiting = new AbortController();
  const cancel = (): void => waiting.abort(signal.reason);
  const turnAbort = sharedAbort(signal);
  turnAbort.addEventListener("abort", cancel);
  let timedOut = false;
  const expire = (): void => {
    timedOut = true;
    waiting.abort();
  };
  const stopTimer = timeout == null ? undefined : backgroundTimer(expire, timeout);
  let exit: TerminalExitStatus | undefined;
  try {
    exit = await client.request("terminal/wait_for_exit", { terminalId }, { signal: waiting.signal });
  } catch (error) {
    if (!timedOut) throw error;
    // TERM-14
    await client.request("terminal/kill", { terminalId }, { signal });
  } finally {
    stopTimer?.();
    turnAbort.removeEventListener("abort", cancel);
  }
  const { output, truncated, exitStatus } = await client.request("terminal/output", { terminalId }, { signal });
  const { exitCode, signal: endedBy } = exit ?? exitStatus ?? {};
  return { exitCode: exitCode ?? null, signal: endedBy ?? null, output, truncated, timedOut };
}
