import type { UiOptions } from "../chat/chat-options.ts";
import { ExitCode, ProgramFailure } from "../cli/exit.ts";
import type { Streams } from "../cli/streams.ts";
import { openInBrowser } from "../protocol/elicitation/open-in-browser.ts";
import type { SessionRecorder } from "../sessions/session-recorder.ts";
import { attachmentBlocks } from "../protocol/attachment-blocks.ts";
import { createProjectFiles } from "../text/project-files.ts";
import { openHistory } from "./input/history/open-history.ts";
import { ChatModel } from "./model/chat-model.ts";
import { catchStrayOutput } from "./terminal/ui-terminal.ts";
import { UserInterface } from "./user-interface.ts";

/**
 * Runs the user interface until the user quits. Returns the exit code.
 *
 * @throws {ProgramFailure} if the agent cannot be started, or the user interface fails.
 */
export async function runUi(options: UiOptions, streams: Streams, recorder: SessionRecorder): Promise<number> {
  const { cwd } = options;
  const model: ChatModel = new ChatModel({
    options,
    recorder,
    attachmentBlocks,
    lendTerminal: (run) => ui.terminal.lend(run),
    openInBrowser,
  });
  const files = createProjectFiles(cwd);
  const history = openHistory({ cwd, env: streams.env });
  let failure: unknown;
  const ui = new UserInterface(model, { files, history }, streams, (error) => {
    failure ??= error;
    model.endWaiting();
  });
  const release = catchStrayOutput((line) => model.note("info", line));
  process.on("SIGINT", model.actions.interrupt);
  try {
    await model.run();
  } catch (error) {
    failure ??= await model.life.failure(error);
  } finally {
    process.off("SIGINT", model.actions.interrupt);
    await ui.end();
    release();
    if (recorder.advice !== undefined) streams.output.write(`${recorder.advice}\n`);
  }
  if (failure instanceof ProgramFailure) throw failure;
  if (failure !== undefined) throw brokenUi(failure);
  return model.isInterrupted ? ExitCode.cancelled : ExitCode.endTurn;
}

function brokenUi(error: unknown): ProgramFailure {
  const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  const advice = "This is a mistake of acp. --plain prints lines instead";
  return new ProgramFailure(`The user interface has failed: ${message}`, ExitCode.failure, advice, error, [stack]);
}
