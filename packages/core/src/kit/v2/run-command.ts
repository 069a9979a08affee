import type { TerminalExitStatus, ToolCallContent } from "@acp/schema/v2/types";
import { LazyAbort, sharedAbort } from "../../base/abort.ts";
import { describeError } from "../../base/describe-error.ts";
import { backgroundTimer, checkLimit } from "../../base/timers.ts";
import type { Awaitable } from "../../rpc/methods.ts";
import { pendingAfterAbort } from "../../session/agent/pending-after-abort.ts";
import type { NewToolCall, ReportedToolCall } from "../../v2/reported-tool-call.ts";
import type * as shared from "../shared/command.ts";
import { checkRunning } from "../shared/any-session.ts";
import type { AnyTurn } from "./any-session.ts";
import { OutputTail } from "./output-tail.ts";
import { requireObject } from "../../base/require-argument.ts";

/** A command to run, and where its output goes. */
export interface CommandToRun {
  /** The program, by name or path. */
  readonly command: string;
  /** Its arguments. */
  readonly args: readonly string[];
  /** The directory to run it in, an absolute path. */
  readonly cwd: string;
  /**
   * Aborts when the command has to end: the turn, the tool call or the terminal is cancelled, or the time limit is
   * reached.
   */
  readonly signal: AbortSignal;
  /** Sends output to the client: text, or bytes. The promise stays pending while the client is slow to read. */
  output(data: string | Uint8Array): Promise<void>;
}

/** Options of {@link runCommand}. */
export interface RunCommandOptions extends shared.Command, shared.CommandReport<ReportedToolCall, NewToolCall> {
  /**
   * The maximum number of bytes of output to return. Older output is dropped, but the client gets all of it. Default:
   * 1,048,576.
   */
  readonly outputByteLimit?: number | undefined;
  /**
   * Runs the command, and resolves with how it ended. If it rejects, the command could not be run, unless `signal` has
   * aborted. One second after the abort, nothing waits for it any more.
   */
  run(command: CommandToRun): Awaitable<TerminalExitStatus>;
}

/** How a command ended, and what it printed. */
export interface CommandResult extends shared.CommandResult {
  /** Whether the client cancelled only this command: its tool call or its terminal. */
  readonly cancelled: boolean;
}

/**
 * Runs a command on the agent's side, shows it to the user as a terminal, and reports it as a tool call: `completed` if
 * it exits with code 0, `cancelled` if it was cancelled, otherwise `failed`. The client can cancel it without
 * cancelling the turn.
 *
 * ```ts
 * const { exitCode, output } = await runCommand(turn, {
 *   command: "npm",
 *   args: ["test"],
 *   timeout: 60_000,
 *   run: async ({ command, args, cwd, signal, output }) => {
 *     const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "inherit"] }); // of node:child_process
 *     signal.addEventListener("abort", () => child.kill());
 *     const show = async () => {
 *       for await (const bytes of child.stdout) await output(bytes);
 *     };
 *     const [[exitCode, endedBy]] = await Promise.all([once(child, "close"), show()]); // of node:events
 *     return { exitCode, signal: endedBy };
 *   },
 * });
 * ```
 *
 * A command that fails, is cancelled by itself or times out is a result, not an error.
 *
 * @throws {UsageError} `timeout` is not a number of milliseconds from 0 or `Infinity`, or the turn has ended; nothing
 * was sent.
 * @throws what `run` rejects with, if it could not run the command; the tool call says why.
 * @throws the reason of the turn's signal if the turn is cancelled.
 */
export async function runCommand(turn: AnyTurn, options: RunCommandOptions): Promise<CommandResult> {
  checkRunning(turn);
  requireObject(options, "runCommand() takes { command } second");
  const { command, run, timeout, outputByteLimit } = options;
  if (timeout != null) checkLimit("timeout", timeout);
  const args = options.args ?? [];
  const cwd = options.cwd ?? turn.session.cwd;
  const title = [command, ...args].join(" ");
  const terminal = await turn.terminal({ command: title, cwd, capabilities: { cancel: {} } });
  const call = await reportStart(turn, title, options.call ?? {}, [{ type: "terminal", terminalId: terminal.id }]);
  const tail = new OutputTail(outputByteLimit ?? 1024 * 1024);
  const end = new LazyAbort();
  const cancel = (): void => end.abort(call.signal.aborted ? call.signal.reason : terminal.signal.reason);
  const signals = [sharedAbort(call.signal), sharedAbort(terminal.signal)];
  for (const signal of signals) {
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel);
  }
  let timedOut = false;
  const expire = (): void => {
    timedOut = !end.aborted;
    end.abort(new DOMException(`The command took more than ${timeout} ms`, "TimeoutError"));
  };
  const stopTimer = timeout == null ? undefined : backgroundTimer(expire, timeout);
  // As a function that is asynchronous, so that what `run` throws is a rejection.
  const start = async (toRun: CommandToRun): Promise<TerminalExitStatus> => await run(toRun);
  let isOver = false;
  const output: CommandToRun["output"] = (data) => {
    if (isOver) return Promise.resolve();
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
    tail.add(bytes);
    return terminal.output(bytes);
  };
  let status: TerminalExitStatus = {};
  let failure: { readonly error: unknown } | undefined;
  try {
    // Cancelled while it was reported: it does not start.
    const running = end.aborted ? undefined : start({ command, args, cwd, signal: end.signal, output });
    if (running !== undefined && !(await pendingAfterAbort(running, end))) status = await running;
  } catch (error) {
    if (!end.aborted) failure = { error };
  } finally {
    isOver = true;
    stopTimer?.();
    for (const signal of signals) signal.removeEventListener("abort", cancel);
  }
  // `run` may return more members than these, which are not part of the protocol.
  const { exitCode, signal, _meta } = status;
  const isDone = exitCode === 0 && !timedOut;
  const cancelled = end.aborted && !timedOut && !isDone;
  const reported = terminal.exited({ exitCode, signal, _meta }).then(() => {
    if (failure !== undefined) return call.append(describeError(failure.error)).then(() => call.fail());
    return isDone ? call.complete() : cancelled ? call.cancelled() : call.fail();
  });
  if (failure !== undefined || turn.signal.aborted) {
    // The caller needs the error of the command, even if it can no longer be reported.
    await reported.catch(() => {});
    throw failure === undefined ? turn.signal.reason : failure.error;
  }
  await reported;
  return { exitCode: exitCode ?? null, signal: signal ?? null, ...tail.result(), timedOut, cancelled };
}

async function reportStart(
  turn: AnyTurn,
  title: string,
  call: NonNullable<RunCommandOptions["call"]>,
  content: ToolCallContent[],
): Promise<ReportedToolCall> {
  if (!("update" in call)) {
    return turn.toolCall({ kind: "execute", title, capabilities: { cancel: {} }, ...call, content });
  }
  await call.update({ status: "in_progress", content });
  return call;
}
