import { printableLine } from "../../text/printable.ts";
import { type Line, span, truncate } from "../../text/spans.ts";
import type { ChatState } from "../chat-state.ts";
import { dialogView } from "../questions/dialog-view.ts";
import { type Frame, stack } from "../terminal/frame.ts";
import { lowScreen, type TerminalSize } from "../terminal/screen.ts";
import { completionView } from "./completion/completion-view.ts";
import { editorView } from "./editor-view.ts";
import type { InputStore } from "./input-store.ts";
import type { PromptInput } from "./prompt-input.ts";

/** Rows of the screen that belong to others: the transcript and the status line. A low screen has none for the transcript. */
const others = 8;
const othersOfLow = 4;

/** Everything that the user types into: the editor of prompts, or what is open instead of it. */
export function inputView({ dialog, prompt }: InputStore, state: ChatState, { columns, rows }: TerminalSize): Frame {
  const height = Math.max(4, rows - (rows < lowScreen ? othersOfLow : others));
  if (dialog === undefined) return promptView(prompt, state, columns, height);
  const hasKeyboard = dialog.kind === "choice" && dialog.isExplaining;
  const room = hasKeyboard ? 4 : 2;
  const open = dialogView(dialog, columns - 1, height - room);
  const { editor } = prompt;
  if (editor.text === "" && !hasKeyboard) return open;
  return stack(open, editorView(editor, { columns, height: room, hasKeyboard, placeholder: "Why not?" }));
}

function promptView(prompt: PromptInput, state: ChatState, columns: number, height: number): Frame {
  const { editor, completion, search } = prompt;
  const rows = completion === undefined ? Math.min(10, height) : Math.max(1, Math.min(4, height - 4));
  return stack(
    editorView(editor, { columns, height: rows, placeholder: placeholderOf(state) }),
    completion === undefined ? [] : completionView(completion, columns - 1, Math.min(8, height - rows)),
    prompt.command === undefined ? [] : [truncate([span("Enter runs it in your shell", "magenta")], columns - 1)],
    search === undefined ? [] : [truncate(searchLine(search), columns - 1)],
  );
}

function searchLine({ query, match, index, count }: NonNullable<PromptInput["search"]>): Line {
  const found = match === undefined ? "  nothing found" : `  ${index + 1} of ${count}`;
  return [
    span(`search: ${printableLine(query)}▏`, "cyan"),
    span(`${found} · Ctrl-R: older · Enter: take · Esc: back`, "dim"),
  ];
}

function placeholderOf({ turn, agent }: ChatState): string {
  if (turn !== undefined) return `Enter queues,${agent.can.steer ? " Ctrl-S steers," : ""} Esc cancels`;
  return "Type a prompt, / for commands, @ for files, ? for help";
}
