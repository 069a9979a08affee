// Draws the states of a sample turn, one for each `n` that is typed. For tests in a pseudo-terminal.
import { loadHighlighter, span } from "@acp/render";

import { UiTerminal } from "../../terminal/ui-terminal.ts";
import { ChatView } from "../chat-view.ts";
import { emptyState, sampleTurn, start } from "./sample-states.ts";

const { stdin: input, stdout: output, stderr: error, env } = process;
const view = new ChatView();
let at = 0;
const terminal = new UiTerminal(
  { input, output, error, env },
  {
    onTyped(typed) {
      if ("pasted" in typed) return;
      if (typed.ctrl) process.exit();
      at += typed.text.split("n").length - 1;
      draw();
    },
    onDraw: () => draw(),
  },
);

function draw(): void {
  const { size } = terminal.screen;
  const prompt = span(`> state ${at} at ${size.columns}x${size.rows}`);
  const { printed, frame, hasMore } = view.draw(
    sampleTurn[at] ?? emptyState,
    { lines: [[prompt]] },
    size,
    start + 12_000,
  );
  terminal.screen.draw(printed, frame);
  if (hasMore) setTimeout(draw);
}

await loadHighlighter();
draw();
