import type { ChatState } from "../chat-state.ts";
import type { Key } from "../input/keys.ts";
import type { Frame } from "../terminal/frame.ts";

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
  /** Answers as Esc does. */
  reject?(): void;
}

/** The part of a long question that is on the screen. */
export class Scroll {
  /** The first row on the screen. */
  offset = 0;
  #rows = 0;
  #height = 1;

  /** Says how many rows there are, and how many fit. */
  measure(rows: number, height: number): void {
    this.#rows = rows;
    this.#height = Math.max(1, height);
    this.offset = Math.max(0, Math.min(this.offset, rows - this.#height));
  }

  move(rows: number): void {
    this.offset += rows;
    this.measure(this.#rows, this.#height);
  }

  press({ name }: Key): boolean {
    if (name !== "pageup" && name !== "pagedown") return false;
    this.move((name === "pagedown" ? 1 : -1) * Math.max(1, this.#height - 1));
    return true;
  }
}

/** The index of the first of `count` rows to show if only `room` fit, so that the one at `index` is among them. */
export function firstRow(index: number, count: number, room: number): number {
  return Math.max(0, Math.min(index - Math.floor(room / 2), count - room));
}
