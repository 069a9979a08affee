import { failureReason } from "../failure-reason.ts";
import type { Task } from "../task.ts";
import { type CommandLine, describeCommand } from "./command-line.ts";
import { type CommandExit, openTerminal, type Terminal } from "./terminal.ts";

/** What a command left behind. */
export interface CommandResult {
  readonly output: string;
  readonly succeeded: boolean;
  /** How it ended, in words: `exit code 1`. */
  readonly ending: string;
}

/** How long a command may run, in milliseconds. */
const timeLimit = 120_000;

/** Runs a command and reports it as a tool call. `undefined` if it could not be started; the report says why. */
export async function runCommand(task: Task, command: CommandLine): Promise<CommandResult | undefined> {
  const line = describeCommand(command);
  const call = await task.turn.toolCall({
    title: line,
    name: "run_command",
    kind: "execute",
    rawInput: { command: command.command, args: [...command.args], cwd: task.session.cwd },
  });
  let terminal: Terminal;
  try {
    terminal = await openTerminal(task, command);
  } catch (error) {
    await call.fail(`${line} could not be started: ${failureReason(error)}`);
    task.signal.throwIfAborted();
    return undefined;
  }
  try {
    // Before it is released: what is released cannot be embedded any more (TOOL-11).
    if (terminal.clientId !== undefined) {
      await call.update({ content: [{ type: "terminal", terminalId: terminal.clientId }] });
    }
    const result = await finish(terminal, task.signal);
    const status = result.succeeded ? "completed" : "failed";
    const own = terminal.clientId === undefined ? { content: result.output } : {};
    await call.update({ status, ...own, rawOutput: { ending: result.ending } });
    return result;
  } catch (error) {
    await terminal.kill().catch(() => {});
    await call.update({
      status: "failed",
      rawOutput: { ending: task.signal.aborted ? "cancelled" : failureReason(error) },
    });
    throw error;
  } finally {
    await terminal.release();
  }
}

/** Waits for the end of a command, kills it if it takes too long (TERM-14). */
export async function finish(
  terminal: Terminal,
  signal: AbortSignal,
  limit: number = timeLimit,
): Promise<CommandResult> {
  const timeout = AbortSignal.timeout(limit);
  let exit: CommandExit;
  try {
    exit = await terminal.waitForExit(AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (signal.aborted || !timeout.aborted) throw error;
    await terminal.kill();
    return { output: await terminal.output(), succeeded: false, ending: `killed after ${limit / 1000} s` };
  }
  return { output: await terminal.output(), succeeded: exit.exitCode === 0, ending: describeExit(exit) };
}

function describeExit({ exitCode, signal }: CommandExit): string {
  if (signal !== null && signal !== undefined) return `ended by ${signal}`;
  return `exit code ${exitCode ?? "unknown"}`;
}
