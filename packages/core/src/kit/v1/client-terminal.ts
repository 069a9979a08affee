import type { TerminalExitStatus } from "@acp/schema/v1/types";
import { sharedAbort } from "../../base/abort.ts";
import { backgroundTimer } from "../../base/timers.ts";
import { pendingAfterAbort } from "../../session/agent/pending-after-abort.ts";
import type { AnyTurn } from "./any-session.ts";

/** A command, as a client runs it. */
export interface Command {
  /** The program, by name or path. */
  readonly command: string;
  /** Its arguments. Default: none. */
  readonly args?: readonly string[] | undefined;
  /** Variables to add to those that the client gives it. Default: none. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Where it runs; absolute. Default: the session's `cwd`. */
  readonly cwd?: string | undefined;
  /** How many bytes of output to keep; what is older is dropped. Default: the client decides. */
  readonly outputByteLimit?: number | undefined;
}

/** How a command ended, and what it printed. */
export interface CommandResult {
  /** Its exit code; `null` if a signal ended it, or if it is not known. */
  readonly exitCode: number | null;
  /** The signal that ended it, such as `SIGTERM`; else `null`. */
  readonly signal: string | null;
  /** What it printed, stdout and stderr together: all of it, or its end. */
  readonly output: string;
  /** Whether output was dropped from the beginning. */
  readonly truncated: boolean;
  /** Whether it was ended because its time was up. */
  readonly timedOut: boolean;
}

/** A command that runs in a terminal of the client. */
export interface ClientTerminal {
  readonly id: string;
  /**
   * Waits for its end, and ends it after `timeout` milliseconds.
   *
   * @throws the reason of the turn's signal, as soon as that aborts.
   */
  finish(timeout: number | undefined): Promise<CommandResult>;
  /** Ends it if it still runs, and gives the terminal up. Never rejects, nor waits for long once the turn is cancelled. */
  release(): Promise<void>;
}

/** Starts a command. */
export async function openTerminal(turn: AnyTurn, command: Command): Promise<ClientTerminal> {
  const { client } = turn.session;
  const release = async (terminalId: string): Promise<void> => {
    // A client that cannot do it has lost the terminal already, or has gone.
    await pendingAfterAbort(client.request("terminal/release", { terminalId }), turn.signal);
  };
  const creating = create(turn, command);
  if (await pendingAfterAbort(creating, turn.signal)) {
    // A client may ask its user first, who has no reason to answer any more. If it starts it yet, it is ended.
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

/** Waits for the end of a command against a timer, then kills it (TERM-14). */
async function finish({ session, signal }: AnyTurn, id: string, timeout: number | undefined): Promise<CommandResult> {
  const { client } = session;
  signal.throwIfAborted();
  const waiting = new AbortController();
  const cancel = (): void => waiting.abort(signal.reason);
  const shared = sharedAbort(signal);
  shared.addEventListener("abort", cancel);
  let timedOut = false;
  const expire = (): void => {
    timedOut = true;
    waiting.abort();
  };
  const stop = timeout == null ? undefined : backgroundTimer(expire, timeout);
  let exit: TerminalExitStatus | undefined;
  try {
    exit = await client.request("terminal/wait_for_exit", { terminalId: id }, { signal: waiting.signal });
  } catch (error) {
    if (!timedOut) throw error;
    await client.request("terminal/kill", { terminalId: id }, { signal });
  } finally {
    stop?.();
    shared.removeEventListener("abort", cancel);
  }
  const { output, truncated, exitStatus } = await client.request("terminal/output", { terminalId: id }, { signal });
  const { exitCode, signal: endedBy } = exit ?? exitStatus ?? {};
  return { exitCode: exitCode ?? null, signal: endedBy ?? null, output, truncated, timedOut };
}
