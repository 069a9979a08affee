import type { PermissionOption, PermissionQuestion } from "../../protocol/permission/question.ts";
import type { Key } from "../input/keys.ts";
import { Choices } from "./choices.ts";
import type { Dialog } from "./dialog.ts";
import { permissionLines } from "./permission-lines.ts";
import type { QuestionLine } from "./question-lines.ts";
import { Scroll } from "./scroll.ts";

/** A question for permission: every option has a number, and Esc says no. */
export class PermissionDialog implements Dialog {
  readonly kind = "permission";
  readonly lines: readonly QuestionLine[];
  readonly options: readonly PermissionOption[];
  readonly choices: Choices;
  readonly scroll: Scroll = new Scroll();
  readonly #answer: (optionId: string | undefined) => void;
  #isAnswered = false;

  constructor(
    question: PermissionQuestion,
    cwd: string,
    isTyping: boolean,
    answer: (optionId: string | undefined) => void,
  ) {
    this.lines = permissionLines(question, cwd);
    this.options = question.options;
    this.choices = new Choices(question.options.length, isTyping);
    this.#answer = answer;
  }

  /** What Esc does: the client answers with the option that rejects once, if there is one. */
  get escape(): string {
    return this.options.some(({ kind }) => kind === "reject_once") ? "Esc: reject" : "Esc: no answer";
  }

  press(key: Key): boolean {
    if (this.#isAnswered || this.scroll.press(key)) return true;
    if (key.name === "escape") return this.#end(undefined);
    const result = this.choices.press(key);
    if (typeof result === "object") return this.#end(this.options[result.chosen]?.optionId);
    return result === "used";
  }

  #end(optionId: string | undefined): true {
    this.#isAnswered = true;
    this.#answer(optionId);
    return true;
  }
}
