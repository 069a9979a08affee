import type { Key } from "../input/keys.ts";
import { Choices } from "./choices.ts";
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
    const result = key.name === "escape" ? { chosen: -1 } : this.choices.press(key);
    if (typeof result !== "object") return result === "used";
    this.#isAnswered = true;
    this.#choose(result.chosen);
    return true;
  }
}
