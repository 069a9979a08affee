import type { HostContext } from "../host-context.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { unlessAborted } from "../unless-aborted.ts";
import { OpenTerminals, type TerminalsOptions } from "./open-terminals.ts";
import type { CreateTerminalParams } from "./terminal-command.ts";
import { requireRuntime } from "../usage.ts";

interface TerminalParams {
  readonly sessionId: string;
  readonly terminalId: string;
}

/** Handlers for the terminal methods, keyed by method (TERM-03). */
export interface TerminalHandlers {
  /** Starts a command. */
  "terminal/create"(
    params: CreateTerminalParams & { readonly sessionId: string },
    context: HostContext,
  ): Promise<{ terminalId: string }>;
  /** Returns the output so far, and how the command ended if it has. */
  "terminal/output"(
    params: TerminalParams,
    context: HostContext,
  ): { output: string; truncated: boolean; exitStatus?: { exitCode: number | null; signal: string | null } };
  /** Waits until the command ends. */
  "terminal/wait_for_exit"(
    params: TerminalParams,
    context: HostContext,
  ): Promise<{ exitCode: number | null; signal: string | null }>;
  /** Ends the command but keeps the terminal. */
  "terminal/kill"(params: TerminalParams, context: HostContext): Promise<Record<never, never>>;
  /** Ends the command and releases the terminal. */
  "terminal/release"(params: TerminalParams, context: HostContext): Promise<Record<never, never>>;
}

/** The type of `terminals`. Editors show the comment on its call signature. */
export interface CreateTerminals {
  /**
   * Creates handlers that run an agent's commands on this machine. Spread them into a client's `handlers`.
   *
   * Every command runs in its own process group, with an empty stdin. Kill and release end the whole group, and on
   * Linux also processes that left it. A terminal belongs to the session that opened it: other sessions cannot use its
   * id, and it ends with the session. Commands run without asking the user, unless the option `policy` asks.
   *
   * Requests fail with `-32002` for an unknown terminal or program, with `-32602` for an invalid directory or variable,
   * and with `-32603` if the program cannot be started for another reason.
   *
   * @throws {UsageError} if `killGrace` is not a number of milliseconds from 0 or `Infinity`.
   */
  (options?: TerminalsOptions): TerminalHandlers;
}

/** Creates {@link CreateTerminals} for a runtime. */
export function createTerminals(runtime: Runtime): CreateTerminals {
  requireRuntime(runtime, "createTerminals");
  return (options) => terminalHandlers(runtime, options ?? {});
}

function terminalHandlers(runtime: Runtime, options: TerminalsOptions): TerminalHandlers {
  const open = new OpenTerminals(runtime, options);
  return {
    "terminal/create": async (params, context) => ({ terminalId: await open.create(params, context) }),
    "terminal/output": ({ terminalId }, { session }) => {
      const { process } = open.get(terminalId, session);
      const { exit } = process;
      return exit === undefined ? process.output() : { ...process.output(), exitStatus: { ...exit } };
    },
    "terminal/wait_for_exit": async ({ terminalId }, { session, signal }) => {
      return { ...(await unlessAborted(open.get(terminalId, session).process.exited, signal)) };
    },
    "terminal/kill": async ({ terminalId }, { session }) => {
      await open.get(terminalId, session).process.kill();
      return {};
    },
    "terminal/release": async ({ terminalId }, { session }) => {
      await open.release(terminalId, session);
      return {};
    },
  };
}
