import type { HostContext } from "../host-context.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { unlessAborted } from "../unless-aborted.ts";
import { OpenTerminals, type TerminalsOptions } from "./open-terminals.ts";
import type { CreateTerminalParams } from "./terminal-command.ts";

interface TerminalParams {
  readonly sessionId: string;
  readonly terminalId: string;
}

/** Handlers for the methods of terminals, keyed by method (TERM-03). */
export interface TerminalHandlers {
  "terminal/create"(
    params: CreateTerminalParams & { readonly sessionId: string },
    context: HostContext,
  ): Promise<{ terminalId: string }>;
  "terminal/output"(
    params: TerminalParams,
    context: HostContext,
  ): { output: string; truncated: boolean; exitStatus?: { exitCode: number | null; signal: string | null } };
  "terminal/wait_for_exit"(
    params: TerminalParams,
    context: HostContext,
  ): Promise<{ exitCode: number | null; signal: string | null }>;
  "terminal/kill"(params: TerminalParams, context: HostContext): Promise<Record<never, never>>;
  "terminal/release"(params: TerminalParams, context: HostContext): Promise<Record<never, never>>;
}

/** The type of `terminals`. The comment is on its call, where editors look for it. */
export interface CreateTerminals {
  /**
   * Handlers that run an agent's commands on this machine. Spread them into a client's `handlers`.
   *
   * Every command runs in a process group of its own with an empty stdin; kill and release end the group.
   * A terminal belongs to the session that opened it: other sessions do not know its id, and it is ended
   * with the session. Nothing here asks the user; wrap `terminal/create` to do that.
   *
   * @throws {UsageError} for a `killGrace` that is no time.
   */
  (options?: TerminalsOptions): TerminalHandlers;
}

/** Makes {@link CreateTerminals} for a runtime. */
export function createTerminals(runtime: Runtime): CreateTerminals {
  return (options = {}) => terminalHandlers(runtime, options);
}

function terminalHandlers(runtime: Runtime, options: TerminalsOptions): TerminalHandlers {
  const open = new OpenTerminals(runtime, options);
  return {
    "terminal/create": async (params, { session }) => ({ terminalId: await open.create(params, session) }),
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
