import { type Line, span, truncate } from "@acp/render";
import { printableLine } from "@acp/render/text";

import type { ChatState } from "../chat-state.ts";
import { type Frame, stack } from "../terminal/frame.ts";
import { lowScreen, type TerminalSize } from "../terminal/screen.ts";
import { completionView } from "./completion/completion-view.ts";
import { editorView } from "./editor-view.ts";
import type { InputStore } from "./input-store.ts";
import type { PromptInput } from "./prompt-input.ts";

/**
 * Rows of the screen that belong to others: the transcript and the status line. What the user has opened needs no transcript, and
 * a low screen has no room for it.
 */
const others = 8;
const fewOthers = 4;

/** Everything that the user types into: the editor of prompts, or what is open instead of it. */
export function inputView({ dialog, prompt }: InputStore, state: ChatState, { columns, rows }: TerminalSize): Frame {
  const isOnTop = state.questions.length === 0 && state.overlay !== undefined;
  const height = Math.max(4, rows - (isOnTop || rows < lowScreen ? fewOthers : others));
  if (dialog === undefined) return promptView(prompt, state, columns, height);
  const hasKeyboard = dialog.prompt === "reason";
  const room = hasKeyboard ? 4 : 2;
  const isDrafting = prompt.editor.text !== "" || hasKeyboard;
  const open = dialog.draw(columns - 1, height - (isDrafting || !isOnTop ? room : 0));
  if (!isDrafting) return open;
  return stack(open, editorView(prompt.editor, { columns, height: room, hasKeyboard, placeholder: "Why not?" }));
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
