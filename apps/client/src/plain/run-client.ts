import { text } from "node:stream/consumers";

import type { Session } from "../protocol/agent.ts";
import { CommandLineError, ExitCode, exitCodeOf } from "../cli/exit.ts";
import type { RunOptions } from "../chat/chat-options.ts";
import { AgentConnection } from "../agents/agent-connection.ts";
import { CurrentSession } from "./current-session.ts";
import { firstLine } from "../render/words.ts";
import { attachmentBlocks } from "../protocol/attachment-blocks.ts";
import { withinTurn } from "../protocol/turn-limit.ts";
import { LateMessages } from "../protocol/late-messages.ts";
import { classifyFailure } from "../protocol/failure.ts";
import { ownCommand } from "./own-commands.ts";
import { isInteractive, type Streams } from "../cli/streams.ts";
import { printableLine } from "../text/printable.ts";
import type { SessionRecorder } from "../sessions/session-recorder.ts";
import { UserInterface } from "./user-interface.ts";

/**
 * Starts the agent, opens a session, and runs one or more prompts. Returns the exit code.
 *
 * @throws {CommandLineError} if there is nothing to prompt.
 */
export async function runClient(options: RunOptions, streams: Streams, recorder: SessionRecorder): Promise<number> {
  const readsPrompts = options.prompt === undefined && (options.interactive || isInteractive(streams));
  const prompt = readsPrompts ? undefined : (options.prompt ?? (await promptFromInput(streams)));
  const ui = new UserInterface(options, streams, readsPrompts, recorder);
  const interrupt = (): void => ui.interrupt();
  process.on("SIGINT", interrupt);
  const late = new LateMessages();
  const connection = new AgentConnection(options, {
    late,
    events: ui.events,
    quit: ui.quit,
    kill: ui.kill,
    detail: (label, line) => ui.errors.detail(label, line),
  });
  try {
    const agent = await connection.open();
    const current = new CurrentSession(agent, options, ui);
    const fail = (error: unknown): number => ui.fail(classifyFailure(error, connection.context(agent.logins)));
    try {
      return await ui.unlessQuit(runSession(current, options, ui, { prompt, fail }));
    } catch (error) {
      if (ui.quit.aborted) return ExitCode.cancelled;
      return fail(error);
    } finally {
      ui.interrupts.beginEnd();
      if (current.open !== undefined) late.begin(current.open, ui.events.show);
      await current.agent.close();
      if (readsPrompts && recorder.advice !== undefined) ui.transcript.note(recorder.advice);
    }
  } catch (error) {
    if (ui.quit.aborted) return ExitCode.cancelled;
    return ui.fail(classifyFailure(error, connection.context()));
  } finally {
    await connection.close();
    process.off("SIGINT", interrupt);
    ui.close();
  }
}

/** Tells the user of a failure; returns its exit code. */
type Fail = (error: unknown) => number;

async function promptFromInput({ input, error }: Streams): Promise<string> {
  // Stdout may be a file, where the user sees no question; stderr still explains why the program waits.
  const end = process.platform === "win32" ? "Ctrl-Z and Enter" : "Ctrl-D";
  if (input.isTTY === true && error.isTTY === true) error.write(`Type the prompt, then ${end} on a line of its own:\n`);
  const prompt = (await text(input)).trim();
  if (prompt === "") throw new CommandLineError("There is no prompt. Use --prompt, or write one to stdin");
  return prompt;
}

async function runSession(
  current: CurrentSession,
  { cwd, login, protocol, setup, attach, timeout }: RunOptions,
  ui: UserInterface,
  { prompt, fail }: { readonly prompt: string | undefined; readonly fail: Fail },
): Promise<number> {
  const runTurn = turnRunner({ ui, attach, timeout, fail });
  const { info, version: agentVersion } = current.agent;
  const unnamed = "Unnamed agent";
  ui.agentName = info?.title ?? info?.name ?? unnamed;
  ui.transcript.note(firstLine(current.agent, unnamed, cwd));
  if (agentVersion < protocol)
    ui.transcript.note(
      `The agent does not support version ${protocol} of ACP. The client uses version ${agentVersion}`,
    );
  for (const sentence of [...setup.problems, ...setup.remarks, ...current.agent.leftOut]) ui.complain(sentence);
  let session: Session;
  try {
    if (login !== undefined) await current.logIn(login);
    session = await current.get();
  } catch (error) {
    // Quitting is no failure.
    if (ui.quit.aborted) throw error;
    return fail(error);
  }
  ui.interrupts.sessionOpened();
  if (prompt === undefined) return runPrompts(current, ui, fail, runTurn);
  ui.transcript.prompt(prompt);
  return runTurn(current, session, prompt, true);
}

async function runPrompts(current: CurrentSession, ui: UserInterface, fail: Fail, runTurn: RunTurn): Promise<number> {
  const { id } = await current.get();
  await ui.commands.waitForFirstList();
  ui.transcript.note(`Session ${printableLine(id)}\nCommands: ${ui.commands.describe()}`);
  for (;;) {
    // Turns run one after another.
    const prompt = await ui.nextPrompt(current.agent.signal);
    if (prompt === undefined) return ExitCode.endTurn;
    try {
      const own = ui.commands.has(prompt) ? undefined : ownCommand(prompt);
      const line = ui.shell.lineOf(prompt);
      if (line !== undefined) await ui.shell.run(line, ui);
      else if (own !== undefined) await own(current, ui);
      else {
        const whole = ui.shell.promptOf(prompt);
        await current.withLogin(async () => runTurn(current, await current.get(), whole, false));
      }
    } catch (error) {
      // The user can continue as long as the agent runs.
      if (current.agent.signal.aborted) throw error;
      fail(error);
    }
  }
}

type RunTurn = (current: CurrentSession, session: Session, prompt: string, isLast: boolean) => Promise<number>;

function turnRunner({
  ui,
  attach,
  timeout,
  fail,
}: Pick<RunOptions, "attach" | "timeout"> & { readonly ui: UserInterface; readonly fail: Fail }): RunTurn {
  /** What goes with the first prompt. */
  let attachments = attach;
  return async ({ agent }, session, prompt, isLast) => {
    const { blocks, notes } = await attachmentBlocks(attachments, agent.takes);
    for (const note of notes) ui.transcript.note(note);
    // A single prompt is one of a script, to which nobody comes back.
    const paths = attachments.map(({ path }) => path);
    if (!isLast || ui.recorder.isNamed) ui.recorder.prompted(session, prompt, paths);
    const said = ui.recorder.withRecalled(prompt);
    const turn = session.prompt(blocks.length === 0 ? said : [{ type: "text", text: said }, ...blocks]);
    attachments = [];
    const ended = ui.interrupts.beginTurn(() => turn.cancel());
    try {
      const how = await ui.unlessQuit(withinTurn(turn, timeout));
      ui.recorder.ended(session, how);
      const { stopReason, failure, duration } = how;
      const failed = failure === undefined ? undefined : fail(failure);
      ui.transcript.end(stopReason, duration);
      const exitCode = failed ?? exitCodeOf(stopReason);
      return isLast && exitCode === ExitCode.endTurn ? (ui.failIfRefused() ?? exitCode) : exitCode;
    } finally {
      ended();
    }
  };
}
