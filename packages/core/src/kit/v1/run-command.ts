import type { ToolCallContent } from "@acp/schema/v1/types";
import { describeError } from "../../base/describe-error.ts";
import { CapabilityError, RequestError } from "../../base/errors.ts";
import { checkLimit } from "../../base/timers.ts";
import type { Awaitable } from "../../rpc/methods.ts";
import type { NewToolCall, ReportedToolCall } from "../../v1/agent-turn.ts";
import type { CommandReport, CommandResult } from "../shared/command.ts";
import { checkRunning } from "../shared/any-session.ts";
import type { AnyTurn } from "./any-session.ts";
import { type ClientTerminal, type Command, openTerminal } from "./client-terminal.ts";
import { requireObject } from "../../base/require-argument.ts";

/** Options of {@link runCommand}. */
export interface RunCommandOptions extends Command, CommandReport<ReportedToolCall, NewToolCall> {
  /**
   * Runs the command if the client has no terminals. Its result is reported and returned. `signal` aborts when the turn
   * is cancelled; `timeout` is not enforced. Default: none; the call rejects.
   */
  readonly fallback?: ((command: RunCommandOptions, signal: AbortSignal) => Awaitable<CommandResult>) | undefined;
}

/**
 * Runs a command in a terminal of the client, where the user sees its output live, and reports it as a tool call:
 * `completed` if it exits with code 0, otherwise `failed`.
 *
 * ```ts
 * const { exitCode, output } = await runCommand(turn, { command: "npm", args: ["test"], timeout: 60_000 });
 * ```
 *
 * The tool call shows the terminal (TOOL-11), and at its end has the result as `rawOutput`, with the last 32,768
 * characters of the output. The terminal is always released (TERM-08), which ends the command if it
 * is still running, for example when the turn is cancelled. A command that fails or times out is a result, not an
 * error.
 *
 * @throws {CapabilityError} the client has no terminals and there is no `fallback`; nothing was sent (TERM-02).
 * @throws {UsageError} `timeout` is not a number of milliseconds from 0 or `Infinity`, or the turn has ended; nothing
 * was sent.
 * @throws {RequestError} the command could not be started; the tool call says why.
 * @throws the reason of the turn's signal if the turn is cancelled.
 */
export async function runCommand(turn: AnyTurn, options: RunCommandOptions): Promise<CommandResult> {
  checkRunning(turn);
  requireObject(options, "runCommand() takes { command } second");
  const { fallback, timeout } = options;
  if (timeout != null) checkLimit("timeout", timeout);
  if (fallback && turn.session.client.capabilities.terminal !== true) {
    const call = await reportStart(turn, options);
    return reportEnd(call, async () => {
      const result = await fallback(options, turn.signal);
      if (result.output !== "") await call.update({ content: result.output });
      return result;
    });
  }
  const terminal = await openTerminal(turn, options).catch(async (error: unknown) => {
    // Without the capability, nothing was tried that a tool call could report.
    if (error instanceof CapabilityError) throw error;
    return reportEnd(await reportStart(turn, options), () => Promise.reject(error));
  });
  try {
    const call = await reportStart(turn, options, [{ type: "terminal", terminalId: terminal.id }]);
    return await reportEnd(call, () => terminal.finish(timeout), terminal);
  } finally {
    await terminal.release();
  }
}

async function reportStart(
  turn: AnyTurn,
  { command, args, ...options }: RunCommandOptions,
  content?: ToolCallContent[],
): Promise<ReportedToolCall> {
  const call = options.call ?? {};
  const shown = content === undefined ? {} : { content };
  if (!("update" in call)) {
    return turn.toolCall({ kind: "execute", title: [command, ...(args ?? [])].join(" "), ...call, ...shown });
  }
  await call.update({ status: "in_progress", ...shown });
  return call;
}

/** Runs the work of a tool call, and reports how it ended (TOOL-07, TOOL-08). */
async function reportEnd<R extends CommandResult>(
  call: ReportedToolCall,
  run: () => Promise<R>,
  terminal?: ClientTerminal,
): Promise<R> {
  let result: R;
  try {
    result = await run();
  } catch (error) {
    // Whoever cancelled the turn knows why. With a terminal, its output says why, and other content would replace it.
    const reason = error instanceof RequestError ? error.wire.message : describeError(error);
    const content = call.turn.signal.aborted || terminal ? {} : { content: reason };
    // The caller needs the error of the command, even if it can no longer be reported.
    await call.update({ status: "failed", ...content }).catch(() => {});
    throw error;
  }
  const status = result.exitCode === 0 && !result.timedOut ? "completed" : "failed";
  // Some clients show a terminal by its id alone, and nobody can read it once it is released.
  await call.update({ status, ...(terminal && { rawOutput: rawOutputOf(result) }) });
  return result;
}

/** How much of the output a tool call repeats, in UTF-16 code units. */
const longestRawOutput = 32 * 1024;

/** The end of the output, and how the command ended. */
function rawOutputOf({ output, truncated, exitCode, signal, timedOut }: CommandResult): CommandResult {
  const end = output.slice(-longestRawOutput).replace(/^[\uDC00-\uDFFF]/u, "");
  return { exitCode, signal, output: end, truncated: truncated || end.length < output.length, timedOut };
}
