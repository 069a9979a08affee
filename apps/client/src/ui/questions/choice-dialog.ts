import { chordOf, type Key } from "../input/keys.ts";
import { type Dialog, Scroll } from "./dialog.ts";
import type { QuestionLine } from "./question-lines.ts";

/** An answer that is known beforehand. */
export interface ChoiceEntry<Value> {
  readonly label: string;
  readonly aside?: string | undefined;
  readonly value: Value;
}

/** A question with a few answers. */
export interface ChoiceQuestion<Value> {
  readonly lines: readonly QuestionLine[];
  readonly entries: readonly ChoiceEntry<Value>[];
  /** What Esc does, such as `Esc: reject`. */
  readonly escape: string;
  /** Whether Tab rejects with a reason, which the user types as a prompt. */
  readonly takesReason?: boolean;
}

/** Shows a question with its answers. `answer` gets `undefined` for Esc. `isTyping`: see {@link Choices}. */
export function choiceDialog<Value>(
  question: ChoiceQuestion<Value>,
  isTyping: boolean,
  answer: (value: Value | undefined) => void,
): ChoiceDialog {
  return new ChoiceDialog(question, isTyping, (index) => answer(question.entries[index]?.value));
}

export class ChoiceDialog implements Dialog {
  readonly kind = "choice";
  readonly question: ChoiceQuestion<unknown>;
  readonly choices: Choices;
  readonly scroll: Scroll = new Scroll();
  /** The user types why not: keys go to the prompt. */
  isExplaining = false;
  readonly #choose: (index: number) => void;
  #isAnswered = false;

  /** `choose` gets the index of the answer, or -1 for Esc. */
  constructor(question: ChoiceQuestion<unknown>, isTyping: boolean, choose: (index: number) => void) {
    this.question = question;
    this.choices = new Choices(question.entries.length, isTyping);
    this.#choose = choose;
  }

  press(key: Key): boolean {
    if (this.#isAnswered || this.scroll.press(key)) return true;
    if (this.isExplaining) {
      this.isExplaining = key.name !== "escape";
      return !this.isExplaining;
    }
    this.isExplaining = chordOf(key) === "tab" && this.question.takesReason === true;
    if (this.isExplaining) return true;
    const result = key.name === "escape" ? { chosen: -1 } : this.choices.press(key);
    if (typeof result !== "object") return result === "used";
    this.#end(result.chosen);
    return true;
  }

  /** Answers as Esc does. */
  reject(): void {
    this.#end(-1);
  }

  #end(chosen: number): void {
    this.#isAnswered = true;
    this.#choose(chosen);
  }
}

/** What a key did: it chose the entry at an index, did something else here, or belongs to the prompt. */
export type ChoiceResult = { readonly chosen: number } | "used" | "draft";

/**
 * A short list to choose from with the keys 1 to 9, or the arrows and Enter. Nothing is selected at first: an Enter that was
 * meant for the prompt must not choose. Someone who is typing a prompt when the list appears goes on typing: keys count as
 * answers after an arrow or Enter.
 */
export class Choices {
  selected: number | undefined;
  isTyping: boolean;
  readonly #count: number;
  #isDone = false;

  constructor(count: number, isTyping: boolean) {
    this.#count = count;
    this.isTyping = isTyping;
  }

  press(key: Key): ChoiceResult {
    // Keys that came together with the one that chose.
    if (this.#isDone) return "used";
    if (key.name === "up" || key.name === "down") return this.#move(key.name === "down" ? 1 : -1);
    if (key.name === "enter") return this.#enter();
    if (key.name === "text" && !this.isTyping && /^[1-9]$/u.test(key.text)) {
      return Number(key.text) <= this.#count ? this.#choose(Number(key.text) - 1) : "used";
    }
    if (key.name === "text" && key.text.trim() !== "") this.isTyping = true;
    return this.isTyping ? "draft" : "used";
  }

  #move(step: number): ChoiceResult {
    this.isTyping = false;
    if (this.#count === 0) return "used";
    const start = step > 0 ? -1 : this.#count;
    this.selected = ((this.selected ?? start) + step + this.#count) % this.#count;
    return "used";
  }

  #enter(): ChoiceResult {
    if (this.isTyping) {
      this.isTyping = false;
      return "used";
    }
    return this.selected === undefined ? "used" : this.#choose(this.selected);
  }

  #choose(chosen: number): ChoiceResult {
    this.#isDone = true;
    return { chosen };
  }
}
