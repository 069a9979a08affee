import type { HostContext } from "../host-context.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { unlessAborted } from "../unless-aborted.ts";
import { OpenTerminals, type TerminalsOptions } from "./open-terminals.ts";
import type { CreateTerminalParams } from "./terminal-command.ts";

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
  /** The output so far, and how the command ended, once it has. */
  "terminal/output"(
    params: TerminalParams,
    context: HostContext,
  ): { output: string; truncated: boolean; exitStatus?: { exitCode: number | null; signal: string | null } };
  /** Waits until the command has ended. */
  "terminal/wait_for_exit"(
    params: TerminalParams,
    context: HostContext,
  ): Promise<{ exitCode: number | null; signal: string | null }>;
  /** Ends the command; the terminal stays. */
  "terminal/kill"(params: TerminalParams, context: HostContext): Promise<Record<never, never>>;
  /** Ends the command and releases the terminal. */
  "terminal/release"(params: TerminalParams, context: HostContext): Promise<Record<never, never>>;
}

/** The type of `terminals`. Editors look for the comment on its call. */
export interface CreateTerminals {
  /**
   * Creates handlers that run an agent's commands on this machine. Spread them into a client's `handlers`.
   *
   * Every command runs in its own process group, with an empty stdin; kill and release end the group, and on Linux what
   * has left it. A terminal belongs
   * to the session that opened it: other sessions do not know its id, and it ends with the session. Nobody asks
   * the user before a command runs, unless the option `policy` does.
   *
   * An unknown terminal or program is answered with `-32002`, an invalid directory or variable with `-32602`, and a
   * program that cannot be started otherwise with `-32603`.
   *
   * @throws {UsageError} for a `killGrace` that is neither milliseconds from 0 on nor `Infinity`.
   */
  (options?: TerminalsOptions): TerminalHandlers;
}

/** Creates {@link CreateTerminals} for a runtime. */
export function createTerminals(runtime: Runtime): CreateTerminals {
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
