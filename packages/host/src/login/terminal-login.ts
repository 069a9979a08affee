import { type ConnectedAgent, UsageError } from "@acp/core";

import { describeExit } from "../process/exit-message.ts";
import { environmentFor, startInForeground } from "../process/start-process.ts";
import type { ProcessOptions } from "../process/supervise-process.ts";
import type { ProcessExit, Runtime } from "../runtime/runtime.ts";
import { unlessAborted } from "../unless-aborted.ts";
import { requireCommand, requireRuntime } from "../usage.ts";
import { within } from "../within.ts";
import { LoginError } from "./login-error.ts";

/** How long the program may take to end after SIGTERM, in milliseconds, before SIGKILL. */
const termGrace = 2_000;
/** How long to wait for the end of a program whose login was cancelled, in milliseconds. */
const endGrace = 4_000;

/** A login method of type `terminal`. */
export type TerminalLoginMethod = Extract<ConnectedAgent["authMethods"][number], { readonly type: "terminal" }>;

/** The agent's program, as {@link SpawnAgent} takes it. */
export type AgentProgram = Pick<ProcessOptions, "command" | "args" | "cwd" | "env">;

/** A program to run in a terminal for the user. */
export interface TerminalLaunch {
  /** The login method, which has the name to show. */
  readonly method: TerminalLoginMethod;
  /** That of the agent. */
  readonly command: string;
  /** The agent's arguments, then those of the login method (AUTH-12). */
  readonly args: readonly string[];
  /** That of the agent. */
  readonly cwd: string | undefined;
  /**
   * Variables to add to the environment of this process: those of the agent, overridden by those of the login method.
   */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the login is cancelled or the agent is closed. End the program then. */
  readonly signal: AbortSignal;
}

/** Runs a program in a terminal and returns its exit code; `undefined` or `null` if it is unknown. */
export type LaunchInTerminal = (launch: TerminalLaunch) => Promise<{ readonly exitCode?: number | null | undefined }>;

/** Options of a login. */
export interface TerminalLoginOptions {
  /**
   * Runs the program elsewhere, such as in a terminal of the editor. Default: runs it in the foreground with the stdin,
   * stdout and stderr of this process, which must not read stdin meanwhile.
   */
  readonly launch?: LaunchInTerminal | undefined;
  /**
   * Abort it to cancel the login: this ends the program, and the login rejects with the signal's reason. If `launch`
   * does not end the program, the login rejects after four seconds. This also works while the new agent is starting.
   */
  readonly signal?: AbortSignal | undefined;
}

/** The type of `terminalLogin`. Editors show the comment on its call signature. */
export interface TerminalLogin {
  /**
   * Logs in with a method of type `terminal`: runs the agent's program again, with the method's arguments and
   * environment variables added (AUTH-12), and waits until it ends. The login does not affect existing connections:
   * connect and initialize again (AUTH-14). The `login` method of a spawned agent does that for you.
   *
   * @throws {LoginError} if the program ends with a status other than 0, or an unknown one (AUTH-13).
   * @throws {ProcessStartError} if the program cannot be started.
   * @throws the reason of `signal` after it aborts, and the error of `launch`.
   */
  (method: TerminalLoginMethod, program: AgentProgram, options?: TerminalLoginOptions): Promise<void>;
}

/** Creates {@link TerminalLogin} for a runtime. */
export function createTerminalLogin(runtime: Runtime): TerminalLogin {
  requireRuntime(runtime, "createTerminalLogin");
  return async (method, program, options) => {
    requireCommand(program);
    if (method == null) throw new UsageError("terminalLogin() takes a login method of the agent first");
    const launch = options?.launch ?? inForeground(runtime);
    const signal = options?.signal ?? neverAborts();
    signal.throwIfAborted();
    const running = launch({
      method,
      command: program.command,
      args: [...(program.args ?? []), ...(method.args ?? [])],
      cwd: program.cwd,
      env: { ...program.env, ...method.env },
      signal,
    });
    const { exitCode = null, ...rest } = await unlessAborted(running, signal).catch(async (error: unknown) => {
      await within(running, endGrace);
      signal.throwIfAborted();
      throw error;
    });
    signal.throwIfAborted();
    if (exitCode === 0) return;
    const exit: ProcessExit = { exitCode, signal: null, ...rest };
    throw new LoginError(`The login '${method.name}' failed: its program ${describeExit(exit)}`, method.id, exit);
  };
}

function neverAborts(): AbortSignal {
  return new AbortController().signal;
}

function inForeground(runtime: Runtime): (launch: TerminalLaunch) => Promise<ProcessExit> {
  return async ({ command, args, cwd, env, signal }) => {
    const environment = environmentFor(runtime, command, env);
    const child = await startInForeground(runtime, { command, args, cwd, env: environment });
    const end = async (): Promise<void> => {
      child.signal("SIGTERM");
      if (!(await within(child.exited, termGrace))) child.signal("SIGKILL");
    };
    const abort = (): void => void end();
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    const exit = await child.exited;
    signal.removeEventListener("abort", abort);
    return exit;
  };
}
