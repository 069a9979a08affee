import { visibleText } from "@acp/core/state";
import { type Format, type Line, span, textWidth, truncate, wrapSpans } from "@acp/render";

import { chordOf, type Key } from "../input/keys.ts";
import type { Frame } from "../terminal/frame.ts";
import { type Dialog, firstRow, type LineQuestion } from "./dialog.ts";
import { questionBody, type QuestionLine } from "./question-lines.ts";
import { Scroll } from "./scroll.ts";

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

/** The fewest rows of a question. */
const leastRows = 3;

/**
 * A question with a short list of answers, to choose from with the keys 1 to 9, or the arrows and Enter. Nothing is selected at
 * first: an Enter that was meant for the prompt must not choose. Someone who is typing a prompt when the list appears goes on
 * typing: keys count as answers after an arrow or Enter.
 */
export class ChoiceDialog<Value> implements Dialog {
  readonly #question: ChoiceQuestion<Value>;
  readonly #answer: (value: Value | undefined) => void;
  readonly #scroll: Scroll = new Scroll();
  #selected: number | undefined;
  #prompt: Dialog["prompt"];
  #isAnswered = false;

  /** `isTyping`: the user is typing a prompt. `answer` gets `undefined` for Esc. */
  constructor(question: ChoiceQuestion<Value>, isTyping: boolean, answer: (value: Value | undefined) => void) {
    this.#question = question;
    this.#prompt = isTyping ? "draft" : undefined;
    this.#answer = answer;
  }

  get prompt(): Dialog["prompt"] {
    return this.#prompt;
  }

  get inLines(): LineQuestion | undefined {
    if (this.#isAnswered) return undefined;
    const answer = (given: readonly number[] | string): void => this.#choose(Number(given[0] ?? -1));
    return { ...this.#question, answer, leave: () => this.reject() };
  }

  press(key: Key): boolean {
    // Keys may come together with the one that answers.
    if (this.#isAnswered || this.#scroll.press(key)) return true;
    if (this.#prompt === "reason") {
      if (key.name !== "escape") return false;
      this.#prompt = undefined;
    } else if (chordOf(key) === "tab" && this.#question.takesReason === true) this.#prompt = "reason";
    else if (key.name === "escape") this.reject();
    else if (key.name === "up" || key.name === "down") this.#move(key.name === "down" ? 1 : -1);
    else if (key.name === "enter") this.#enter();
    else if (key.name === "text" && this.#prompt === undefined && /^[1-9]$/u.test(key.text)) {
      this.#choose(Number(key.text) - 1);
    } else {
      if (key.name === "text" && key.text.trim() !== "") this.#prompt = "draft";
      return this.#prompt === undefined;
    }
    return true;
  }

  reject(): void {
    this.#isAnswered = true;
    this.#answer(undefined);
  }

  draw(width: number, height: number): Frame {
    const { lines, entries } = this.#question;
    const keys = wrapSpans([span(this.#keys(), this.#prompt === undefined ? "dim" : "yellow")], width);
    const answers = Math.min(entries.length, Math.max(2, height - leastRows - keys.length));
    const rows = Math.max(leastRows, height - answers - keys.length);
    return {
      lines: [
        ...questionBody([...lines, ...this.#longAnswers(width)], width, rows, this.#scroll),
        ...(this.#prompt === "reason" ? [] : this.#answers(answers).map((line) => truncate(line, width))),
        ...keys,
      ],
    };
  }

  #move(step: number): void {
    const { length } = this.#question.entries;
    this.#prompt = undefined;
    if (length > 0) this.#selected = ((this.#selected ?? (step > 0 ? -1 : length)) + step + length) % length;
  }

  #enter(): void {
    if (this.#prompt === undefined && this.#selected !== undefined) this.#choose(this.#selected);
    this.#prompt = undefined;
  }

  #choose(index: number): void {
    const entry = this.#question.entries[index];
    if (entry === undefined) return;
    this.#isAnswered = true;
    this.#answer(entry.value);
  }

  /** The answers that are too long for one row, whole. */
  #longAnswers(width: number): QuestionLine[] {
    return this.#question.entries.flatMap(({ label, aside = "" }, index): QuestionLine[] => {
      const text = visibleText(aside === "" ? label : `${label}  ${aside}`);
      if (textWidth(text) + "❯ 1 ".length <= width) return [];
      return [{ judged: { label: `answer ${index + 1}: `, text, tone: "dim" }, indent: 2 }];
    });
  }

  /** The answers, numbered: those around the selected one if there is no room for all. */
  #answers(height: number): Line[] {
    const { entries } = this.#question;
    const room = entries.length <= height ? height : height - 1;
    const offset = firstRow(this.#selected ?? 0, entries.length, room);
    const rows = entries.slice(offset, offset + room).map(({ label, aside = "" }, place): Line => {
      const index = offset + place;
      const isSelected = index === this.#selected;
      const colour: readonly Format[] = isSelected ? ["cyan"] : [];
      return [
        span(isSelected ? "❯ " : "  ", ...colour),
        span(index < 9 ? String(index + 1) : " ", "bold", ...colour),
        span(` ${visibleText(label)}`, ...colour),
        ...(aside === "" ? [] : [span(`  ${visibleText(aside)}`, "dim", ...colour)]),
      ];
    });
    if (room === height) return rows;
    const below = entries.length - offset - room;
    return [...rows, [span(`↕ ${offset} answers above, ${below} below: ↑↓`, "yellow")]];
  }

  #keys(): string {
    const { entries, escape, takesReason = false } = this.#question;
    if (this.#prompt === "reason") return "Type why. Enter: reject and send it · Esc: back to the answers";
    const others = takesReason ? `${escape} · Tab: reject and say why` : escape;
    if (this.#prompt === "draft") return `Keys go to your prompt. To answer, press Enter or ↓ first. ${others}`;
    const numbers = entries.length > 1 ? `1-${Math.min(9, entries.length)}` : "1";
    return entries.length === 0 ? others : `${numbers} or ↑↓ and Enter: answer · ${others}`;
  }
}
