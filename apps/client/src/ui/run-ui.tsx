import { render } from "ink";

import { ExitCode, ProgramFailure } from "../cli/exit.ts";
import type { Streams } from "../cli/streams.ts";
import { openInBrowser } from "../protocol/elicitation/open-in-browser.ts";
import { App } from "./app.tsx";
import { DrawnState } from "./drawn-state.ts";
import { attachmentBlocks } from "./input/attachment-blocks.ts";
import { createProjectFiles } from "./input/completion/project-files.ts";
import { openHistory } from "./input/history/open-history.ts";
import { ChatModel } from "./model/chat-model.ts";
import type { UiOptions } from "../chat/chat-options.ts";
import { catchStrayOutput, UiTerminal } from "./ui-terminal.ts";
import { createLiveOutput } from "./view/live-output.ts";
import { TerminalSizeProvider } from "./view/terminal-size.tsx";

/**
 * Runs the user interface until the user quits. Returns the exit code.
 *
 * @throws {ProgramFailure} if the agent cannot be started, or the user interface fails.
 */
export async function runUi(options: UiOptions, streams: Streams): Promise<number> {
  const { cwd } = options;
  const files = createProjectFiles(cwd);
  const history = openHistory({ cwd, env: streams.env });
  const terminal = new UiTerminal(streams);
  const model = new ChatModel({
    options,
    attachmentBlocks,
    lendTerminal: (run) => terminal.lend(run),
    openInBrowser,
  });
  const { actions } = model;
  const drawn = new DrawnState();
  const output = createLiveOutput(process.stdout);
  const ink = render(
    <TerminalSizeProvider output={output}>
      <App model={model} terminal={terminal} onDrawn={drawn.draw} files={files} history={history} />
    </TerminalSizeProvider>,
    { stdout: output.stdout, exitOnCtrlC: false, patchConsole: false, interactive: true },
  );
  output.attach(ink);
  terminal.drawnBy(() => output.leave());
  const release = catchStrayOutput((line) => model.note("info", line));
  process.on("SIGINT", actions.interrupt);
  // It goes by itself if a component throws.
  let failure: unknown;
  const gone = ink.waitUntilExit().catch((error: unknown) => {
    failure = error;
  });
  void gone.then(() => model.endWaiting());
  try {
    await model.run();
  } catch (error) {
    failure ??= await model.life.failure(error);
  } finally {
    process.off("SIGINT", actions.interrupt);
    // What was said stays in the scrollback; the editor and all else that moves goes away.
    if (failure === undefined || failure instanceof ProgramFailure) await drawn.until(model.state);
    // A frame that Ink holds back would come after the screen is cleared: the last one is empty.
    ink.rerender(<TerminalSizeProvider output={output}>{null}</TerminalSizeProvider>);
    ink.clear();
    ink.unmount();
    await gone;
    output.close();
    release();
    terminal.end();
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
