import { RequestError } from "@acp/core";
import { randomId } from "@acp/core/internal";

import { CheckedFiles, type HeldDirectory } from "../files/checked-files.ts";
import type { HostContext, HostSession } from "../host-context.ts";
import { type PermissionPolicy, refusalOf } from "../permission/permission-policy.ts";
import { posixProgramExists } from "../process/posix-program.ts";
import { ProcessStartError } from "../process/process-start-error.ts";
import { argumentsHint, badDirectory, startProcess } from "../process/start-process.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { sessionEnded } from "../session-ended.ts";
import {
  isShellLine,
  startCommand,
  terminalCommand,
  type CreateTerminalParams,
  type TerminalCommand,
} from "./terminal-command.ts";
import { TerminalProcess, type TerminalExit } from "./terminal-process.ts";
import { timeLimit } from "../within.ts";

/** A terminal that an agent opened. You can still read it after the agent has released it (TERM-13). */
export interface Terminal {
  /** The id of the terminal, as the agent knows it. */
  readonly id: string;
  /** The id of the session that the terminal belongs to. */
  readonly sessionId: string;
  /** The requested program. */
  readonly command: string;
  /** The program's arguments. */
  readonly args: readonly string[];
  /** The working directory; `undefined` means that of this process. */
  readonly cwd: string | undefined;
  /** The id of the process. */
  readonly pid: number;
  /** How the command ended; `undefined` while it is running. */
  readonly exit: TerminalExit | undefined;
  /** Settles when the command has ended and its output is complete. Never rejects. */
  readonly exited: Promise<TerminalExit>;
  /** Returns the output so far, stdout and stderr together, and whether its start was dropped. */
  output(): { readonly output: string; readonly truncated: boolean };
  /**
   * Calls `listener` with every further chunk of output. The listener must not throw, because nothing catches the
   * error. Returns a function that removes the listener.
   */
  onOutput(listener: (chunk: Uint8Array) => void): () => void;
  /**
   * Ends the command and its process group, and on Linux also processes that left the group. Settles when they have
   * ended.
   */
  kill(): Promise<void>;
}

/** Options of {@link CreateTerminals}. */
export interface TerminalsOptions {
  /** Variables to add to the environment of this process. `undefined` removes a variable. Default: none. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** How many bytes of output to keep if the agent does not ask for a limit. Default: 1 MiB (1,048,576). */
  readonly outputByteLimit?: number | undefined;
  /** The maximum number of bytes of output to keep, even if the agent asks for more. Default: 16 MiB (16,777,216). */
  readonly maxOutputByteLimit?: number | undefined;
  /**
   * How long a command may take to end after SIGTERM, in milliseconds. Then SIGKILL ends it. Default: 1,000. `Infinity`
   * for no limit.
   */
  readonly killGrace?: number | undefined;
  /**
   * Whether commands run in a shell (`/bin/sh -c`, on Windows `cmd.exe /d /s /c`). Some agents send a whole command
   * line as `command`, without `args`. By default, such a command runs in the shell if it contains white space or
   * special characters of the shell, and no program has that name or path. `true`: every command without `args` runs in
   * the shell. `false`: none does, and `command` is always the name of a program.
   */
  readonly shell?: boolean | undefined;
  /**
   * Decides which commands agents may run, by their real arguments. A request with a command that it rejects fails with
   * `-32603` and the reason `rejected`. Default: all of them.
   */
  readonly policy?: Pick<PermissionPolicy, "decide"> | undefined;
  /**
   * Called with every terminal that an agent opens, so that a user interface can show its output. It must not throw.
   */
  readonly onCreate?: ((terminal: Terminal) => void) | undefined;
}

/** A terminal whose id is valid. */
export interface OpenTerminal {
  readonly process: TerminalProcess;
}

/** The terminals of all sessions. A session is identified by its signal: ids repeat between connections. */
export class OpenTerminals {
  readonly #runtime: Runtime;
  readonly #checked: CheckedFiles;
  readonly #options: TerminalsOptions;
  readonly #killGrace: number;
  readonly #sessions = new WeakMap<AbortSignal, Map<string, OpenTerminal>>();
  /** A loaded session replays the ids of another process's terminals: they must not name those of this one. */
  readonly #prefix = randomId().slice(0, 8);
  #count = 0;

  constructor(runtime: Runtime, options: TerminalsOptions) {
    this.#runtime = runtime;
    this.#checked = new CheckedFiles(runtime);
    this.#options = options;
    this.#killGrace = timeLimit("killGrace", options.killGrace ?? 1_000);
  }

  async create(params: CreateTerminalParams, context: HostContext): Promise<string> {
    const { session } = context;
    if (session.signal.aborted) throw sessionEnded(session.signal.reason);
    const command = this.#command(params, session);
    const isLine = await isShellLine(this.#runtime, command, this.#options.shell ?? undefined);
    const process = await this.#startAllowed(command, isLine, params, context);
    if (session.signal.aborted) {
      // Not every runtime closes pipes that were not read to their end.
      process.read();
      await process.kill();
      throw sessionEnded(session.signal.reason);
    }
    this.#count += 1;
    const id = `terminal-${this.#prefix}-${this.#count}`;
    this.#ofSession(session).set(id, { process });
    this.#options.onCreate?.(describe(id, session.id, command, process));
    // Only now, so that listeners miss no output.
    process.read();
    return id;
  }

  /** @throws {RequestError} `-32002` for an id that was released or belongs to another session. */
  get(id: string, session: HostSession): OpenTerminal {
    const terminal = this.#sessions.get(session.signal)?.get(id);
    if (terminal === undefined) throw RequestError.resourceNotFound(`No such terminal: ${id}`, { terminalId: id });
    return terminal;
  }

  /** The id is invalid at once (TERM-12); settles when the command has ended. */
  async release(id: string, session: HostSession): Promise<void> {
    const { process } = this.get(id, session);
    this.#sessions.get(session.signal)?.delete(id);
    await process.kill();
  }

  #command(params: CreateTerminalParams, session: HostSession): TerminalCommand {
    try {
      return terminalCommand(this.#runtime, params, session, this.#options.env ?? {});
    } catch (error) {
      throw startFailed(error);
    }
  }

  /**
   * Starts it if the policy allows it, in the directory that the policy has decided about: even if another process replaces
   * that meanwhile, where the system can hold a directory.
   */
  async #startAllowed(
    command: TerminalCommand,
    isLine: boolean,
    params: CreateTerminalParams,
    context: HostContext,
  ): Promise<TerminalProcess> {
    const { cwd } = command;
    let held: HeldDirectory | undefined;
    try {
      if (cwd !== undefined && this.#options.policy != null) held = await this.#checked.holdDirectory(cwd);
    } catch (error) {
      // The policy decides first.
      await this.#requireAllowed(command, isLine, params, context);
      throw startFailed(await badDirectory(this.#runtime, command, error));
    }
    try {
      await this.#requireAllowed({ ...command, cwd: held?.realPath ?? cwd }, isLine, params, context);
      return await this.#start({ ...command, cwd: held?.path ?? cwd }, isLine, params.outputByteLimit);
    } finally {
      await held?.close();
    }
  }

  /** Decides about the final command, which does not change afterwards. */
  async #requireAllowed(
    { command, args, cwd = "" }: TerminalCommand,
    isLine: boolean,
    { env }: CreateTerminalParams,
    context: HostContext,
  ): Promise<void> {
    const variables = (env ?? []).map(({ name, value }) => ({ name, value }));
    const commands = [isLine ? command : [command, ...args]];
    const action = { source: "terminal", kinds: ["execute"], commands, variables, paths: [cwd] } as const;
    const { signal } = context.session;
    const refusal = await refusalOf(this.#options.policy, action, context).catch((error: unknown) => {
      throw signal.aborted && error === signal.reason ? sessionEnded(error) : error;
    });
    if (refusal === undefined) return;
    const data = { command, reason: "rejected" };
    throw new RequestError({ code: -32603, message: `${refusal}: ${command}`, data });
  }

  async #start(
    command: TerminalCommand,
    isLine: boolean,
    requestedLimit: number | null | undefined,
  ): Promise<TerminalProcess> {
    const { outputByteLimit, maxOutputByteLimit } = this.#options;
    const limit = Math.min(requestedLimit ?? outputByteLimit ?? 1024 * 1024, maxOutputByteLimit ?? 16 * 1024 * 1024);
    try {
      const start = startCommand(this.#runtime, command, isLine);
      if (start.command === "/bin/sh" && !isLine) await this.#checkExists(command);
      return new TerminalProcess(await startProcess(this.#runtime, start, command.command), {
        outputByteLimit: limit,
        killGrace: this.#killGrace,
      });
    } catch (error) {
      throw startFailed(error);
    }
  }

  /** `sh` would start, and only then fail to find the program. */
  async #checkExists(command: TerminalCommand): Promise<void> {
    if (await posixProgramExists(this.#runtime.files, command)) return;
    const message = `Command not found: ${command.command}${argumentsHint(command.command)}`;
    throw new ProcessStartError(message, command.command, "ENOENT");
  }

  #ofSession({ signal }: HostSession): Map<string, OpenTerminal> {
    const known = this.#sessions.get(signal);
    if (known !== undefined) return known;
    const terminals = new Map<string, OpenTerminal>();
    this.#sessions.set(signal, terminals);
    signal.addEventListener("abort", () => endAll(terminals), { once: true });
    return terminals;
  }
}

function endAll(terminals: Map<string, OpenTerminal>): void {
  for (const { process } of terminals.values()) void process.kill();
  terminals.clear();
}

function describe(id: string, sessionId: string, command: TerminalCommand, process: TerminalProcess): Terminal {
  return {
    id,
    sessionId,
    command: command.command,
    args: command.args,
    cwd: command.cwd,
    pid: process.pid,
    exited: process.exited,
    get exit() {
      return process.exit;
    },
    output: () => process.output(),
    onOutput: (listener) => process.onOutput(listener),
    kill: () => process.kill(),
  };
}

/** The answer for an agent: `-32002` if there is no such program, `-32602` for the directory, else `-32603`. */
function startFailed(error: unknown): unknown {
  // The client's diagnostics get the missing flag of the runtime.
  if (!(error instanceof ProcessStartError) || error.reason === "ENOTCAPABLE") return error;
  const data = { command: error.command, reason: error.reason };
  if (error.reason === "ENOENT") return RequestError.resourceNotFound(error.message, data);
  if (error.reason === "ENOCWD") return RequestError.invalidParams(error.message, data);
  return RequestError.internalError(error.message, data);
}
