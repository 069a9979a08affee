import type { ToolCallContent } from "@acp/schema/v1/types";
import { describeError } from "../../base/describe-error.ts";
import { CapabilityError, RequestError } from "../../base/errors.ts";
import type { Awaitable } from "../../rpc/methods.ts";
import { checkLimit } from "../../base/timers.ts";
import type { NewToolCall, ReportedToolCall } from "../../v1/agent-turn.ts";
import type { AnyTurn } from "./any-session.ts";
import { type Command, type CommandResult, openTerminal } from "./client-terminal.ts";
import { checkRunning } from "../shared/turn.ts";

export type { Command, CommandResult };

/** Options of {@link runCommand}. */
export interface RunCommandOptions extends Command {
  /** After how many milliseconds it is ended (TERM-14). Default: `Infinity`, it may run as long as the turn. */
  readonly timeout?: number | undefined;
  /**
   * The tool call to report it as: one that was reported already, or the members of a new one. Default: a new one of kind
   * `execute`, titled with the command line.
   */
  readonly call?: ReportedToolCall | Omit<Partial<NewToolCall>, "content" | "status"> | undefined;
  /**
   * Runs the command in another way if the client has no terminals. What it resolves with is reported and returned.
   * `signal` aborts when the turn is cancelled; `timeout` is not enforced then. Default: none, the call rejects.
   */
  readonly fallback?: ((command: RunCommandOptions, signal: AbortSignal) => Awaitable<CommandResult>) | undefined;
}

/**
 * Runs a command in a terminal of the client, where the user sees its output live, and reports it as a tool call:
 * `completed` if it exits with code 0, else `failed`.
 *
 * ```ts
 * const { exitCode, output } = await runCommand(turn, { command: "npm", args: ["test"], timeout: 60_000 });
 * ```
 *
 * The terminal is shown in the tool call (TOOL-11), and is released in any case (TERM-08): so the command is ended if it
 * still runs, as when the turn is cancelled. A command that fails or runs out of time is a result, not an error.
 *
 * @throws {CapabilityError} the client has no terminals, and there is no `fallback`; nothing was sent (TERM-02).
 * @throws {UsageError} for a `timeout` that is neither milliseconds from 0 on nor `Infinity`, and after the turn was
 * answered; nothing was sent.
 * @throws {RequestError} the command could not be started; the tool call says why.
 * @throws the reason of the turn's signal, if the turn is cancelled meanwhile.
 */
export async function runCommand(turn: AnyTurn, options: RunCommandOptions): Promise<CommandResult> {
  checkRunning(turn);
  const { fallback, timeout } = options;
  if (timeout != null) checkLimit("timeout", timeout);
  if (fallback && turn.session.client.capabilities.terminal !== true) {
    const call = await reportBegin(turn, options);
    return reportEnd(call, describeFailure, async () => {
      const result = await fallback(options, turn.signal);
      if (result.output !== "") await call.update({ content: result.output });
      return result;
    });
  }
  const terminal = await openTerminal(turn, options).catch(async (error: unknown) => {
    // What the client does not offer has not been tried either.
    if (error instanceof CapabilityError) throw error;
    return reportEnd(await reportBegin(turn, options), describeFailure, () => Promise.reject(error));
  });
  try {
    const call = await reportBegin(turn, options, [{ type: "terminal", terminalId: terminal.id }]);
    // Its output says what went wrong; other content would take its place.
    return await reportEnd(
      call,
      () => undefined,
      () => terminal.finish(timeout),
    );
  } finally {
    await terminal.release();
  }
}

async function reportBegin(
  turn: AnyTurn,
  { command, args, call: given }: RunCommandOptions,
  content?: ToolCallContent[],
): Promise<ReportedToolCall> {
  const call = given ?? {};
  const shown = content === undefined ? {} : { content };
  if (!("update" in call)) {
    return turn.toolCall({ kind: "execute", title: [command, ...(args ?? [])].join(" "), ...call, ...shown });
  }
  await call.update({ status: "in_progress", ...shown });
  return call;
}

/** Runs what a tool call stands for, and reports how it ended (TOOL-07, TOOL-08). */
async function reportEnd<R extends CommandResult>(
  call: ReportedToolCall,
  describe: (error: unknown) => string | undefined,
  run: () => Promise<R>,
): Promise<R> {
  let result: R;
  try {
    result = await run();
  } catch (error) {
    // Whoever cancelled knows why.
    const content = call.turn.signal.aborted ? undefined : describe(error);
    // What counts is the error, also if it cannot be reported any more.
    await call.update({ status: "failed", ...(content === undefined ? {} : { content }) }).catch(() => {});
    throw error;
  }
  await call.update({ status: result.exitCode === 0 && !result.timedOut ? "completed" : "failed" });
  return result;
}

function describeFailure(error: unknown): string {
  return error instanceof RequestError ? error.wire.message : describeError(error);
}
