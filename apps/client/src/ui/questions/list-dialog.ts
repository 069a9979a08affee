import type { Line } from "@acp/render";

import type { ChatState } from "../chat-state.ts";
import { chordOf, type Key } from "../input/keys.ts";
import type { Frame } from "../terminal/frame.ts";
import { ChoiceDialog, type ChoiceQuestion } from "./choice-dialog.ts";
import type { Dialog, LineQuestion } from "./dialog.ts";
import { type ListEntry, ListPicker, listView } from "./list-picker.ts";

/** What a list shows now. */
export interface ShownList<Value> {
  readonly title: string;
  /** What keys do, besides arrows and typing. */
  readonly keys: string;
  readonly entries: readonly ListEntry<Value>[];
}

/** A question that has to be answered with its first entry before something is done. */
export type SureQuestion = Omit<ChoiceQuestion<boolean>, "takesReason"> & { readonly then: () => void };

/** What a key of a list does: this after the list is closed, or this once the user is sure. Without it the list stays. */
export type ListOutcome = (() => void) | SureQuestion | undefined;

/** A list that the user has opened. */
export class ListDialog<Value> implements Dialog {
  readonly #show: (state: ChatState) => ShownList<Value>;
  readonly #press: (chord: string, value: Value | undefined) => ListOutcome;
  readonly #close: () => void;
  readonly #picker: ListPicker<Value>;
  #shown: ShownList<Value>;
  #sure: ChoiceDialog<boolean> | undefined;
  #isDone = false;
  #isAnswered = false;

  /** `press` gets each key that the list has no use for with the selected entry, and `enter` with the chosen one. */
  constructor(
    state: ChatState,
    show: (state: ChatState) => ShownList<Value>,
    press: (chord: string, value: Value | undefined) => ListOutcome,
    close: () => void,
  ) {
    this.#show = show;
    this.#press = press;
    this.#close = close;
    this.#shown = show(state);
    this.#picker = new ListPicker(this.#shown.entries);
  }

  get inLines(): LineQuestion | undefined {
    if (this.#isAnswered) return undefined;
    return {
      lines: [{ text: this.#shown.title, tone: "title" }],
      entries: this.#picker.shown,
      answer: (given) => {
        this.#isAnswered = true;
        this.#act(this.#press("enter", this.#picker.shown[Number(given[0] ?? -1)]?.value));
      },
      leave: () => {
        this.#isAnswered = true;
        this.#end(() => {});
      },
    };
  }

  update(state: ChatState): void {
    this.#shown = this.#show(state);
    this.#picker.update(this.#shown.entries);
  }

  press(key: Key): boolean {
    if (this.#isDone) return true;
    if (this.#sure !== undefined) this.#sure.press(key);
    else if (key.name === "escape") this.#end(() => {});
    else {
      const chosen = this.#picker.press(key);
      if (typeof chosen === "object") this.#act(this.#press("enter", chosen.value));
      else if (!chosen) this.#act(this.#press(chordOf(key), this.#picker.current?.value));
    }
    return true;
  }

  draw(width: number, height: number): Frame {
    return this.#sure?.draw(width, height) ?? { lines: this.#lines(width, height) };
  }

  #lines(width: number, height: number): Line[] {
    return listView(this.#picker, { ...this.#shown, width, height });
  }

  #act(outcome: ListOutcome): void {
    if (typeof outcome === "function") this.#end(outcome);
    else if (outcome !== undefined)
      this.#sure = new ChoiceDialog(outcome, false, (isSure) => {
        this.#sure = undefined;
        if (isSure === true) outcome.then();
      });
  }

  #end(then: () => void): void {
    this.#isDone = true;
    this.#close();
    then();
  }
}
