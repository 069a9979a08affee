import type { ChatState } from "../chat-state.ts";
import type { Key } from "../input/keys.ts";
import type { Frame } from "../terminal/frame.ts";
import type { QuestionLine } from "./question-lines.ts";

/** A question of a dialog for those who type lines instead of keys. */
export interface LineQuestion {
  readonly lines: readonly QuestionLine[];
  /** What to choose from; without it, the answer is a text. */
  readonly entries?: readonly LineEntry[] | undefined;
  readonly takesSeveral?: boolean;
  /** What a field holds: it may stay, or be cleared with no entries or an empty text. */
  readonly now?: string;
  /** Takes the indices of entries, or a text. */
  answer(given: readonly number[] | string): void;
  /** Leaves it without an answer, as Esc does. */
  leave(): void;
}

export interface LineEntry {
  readonly label: string;
  readonly aside?: string | undefined;
  readonly detail?: string | undefined;
  readonly isMarked?: boolean;
}

/** Something that has the keyboard instead of the editor. */
export interface Dialog {
  /** What the prompt is good for meanwhile: the user goes on writing it, or says why the dialog is rejected. */
  readonly prompt?: "draft" | "reason" | undefined;
  /** Draws it into this many rows. */
  draw(width: number, height: number): Frame;
  /** Returns whether it used the key. Text that it does not use belongs to the prompt that the user is typing. */
  press(key: Key): boolean;
  /** Takes pasted text. Returns whether it used it; without this it goes to the prompt. */
  paste?(text: string): boolean;
  /** What is shown has changed while the dialog is open. */
  update?(state: ChatState): void;
  /** What it asks now; the same one until it is answered. `undefined`: nothing that lines can answer. */
  readonly inLines?: LineQuestion | undefined;
  /** Answers as Esc does. */
  reject?(): void;
}

/** The index of the first of `count` rows to show if only `room` fit, so that the one at `index` is among them. */
export function firstRow(index: number, count: number, room: number): number {
  return Math.max(0, Math.min(index - Math.floor(room / 2), count - room));
}
