import type { ElicitationAnswer, FilledForm, FormQuestion } from "@acp/core/elicitation";
import { span, truncate } from "@acp/render";
import type { ElicitationContentValue } from "@acp/schema/v1";

import {
  canShow,
  choicesOf,
  displayValue,
  type FormField,
  hintOf,
  valueOf,
  labelOf,
  reasonOf,
} from "@acp/render/question";
import type { Key } from "../input/keys.ts";
import { editorView } from "../input/editor-view.ts";
import { type Frame, stack } from "../terminal/frame.ts";
import { ChoiceDialog } from "./choice-dialog.ts";
import type { Dialog, LineQuestion } from "./dialog.ts";
import { questionBody, type QuestionLine } from "./question-lines.ts";
import { Scroll } from "./scroll.ts";
import { editByKey } from "../input/editor/edit-keys.ts";
import { type Editor, emptyEditor, fullText, paste, withText } from "../input/editor/editor.ts";
import { type ListEntry, ListPicker, listView } from "./list-picker.ts";

type Content = Record<string, ElicitationContentValue>;
type Next = "fill" | "send" | "decline";

const otherKeys = "Shift-Tab: back · Esc: stop and review";

/** A field that is being filled in. */
interface FieldStep {
  readonly index: number;
  readonly lines: readonly QuestionLine[];
  readonly scroll: Scroll;
  readonly input: FieldInput;
}

/** A form: its fields one after another, and a review before it is sent (ELIC-23). */
export class FormDialog implements Dialog {
  #step: ChoiceDialog<Next> | FieldStep;
  readonly #agent: string;
  readonly #question: FormQuestion;
  readonly #fields: readonly (readonly [name: string, field: FormField])[];
  readonly #answer: (answer: ElicitationAnswer<FilledForm>) => void;
  readonly #content: Content;
  #isAnswered = false;

  constructor(
    agent: string,
    question: FormQuestion,
    isTyping: boolean,
    answer: (answer: ElicitationAnswer<FilledForm>) => void,
  ) {
    this.#agent = agent;
    this.#question = question;
    this.#answer = answer;
    this.#content = { ...question.defaults };
    const fields = Object.entries(question.schema.properties ?? {});
    this.#fields = fields.flatMap(([name, field]) => (canShow(field) ? [[name, field] as const] : []));
    const unknown = fields.filter(([, field]) => !canShow(field)).map(([name]) => name);
    this.#step = this.#start(unknown, isTyping);
  }

  get inLines(): LineQuestion | undefined {
    const step = this.#step;
    if (this.#isAnswered || step instanceof ChoiceDialog)
      return step instanceof ChoiceDialog ? step.inLines : undefined;
    const { lines, input } = step;
    return {
      lines,
      ...input.inLines,
      answer: (given) => {
        const [name, field] = this.#fields[step.index] ?? [];
        const before = name === undefined ? undefined : this.#content[name];
        input.fill(given);
        this.#fillIn(step);
        const next = this.#step;
        if (next instanceof ChoiceDialog || next.index !== step.index || name === undefined || field === undefined)
          return;
        // What was wrong goes.
        if (before === undefined) delete this.#content[name];
        else this.#content[name] = before;
        this.#step = { ...next, input: createFieldInput(field, before, this.#isRequired(name)) };
      },
      leave: () => (this.#step = this.#review()),
    };
  }

  press(key: Key): boolean {
    if (this.#isAnswered) return true;
    const step = this.#step;
    if (step instanceof ChoiceDialog) return step.press(key);
    if (key.name === "escape") this.#step = this.#review();
    else if (key.name === "tab" && key.shift) this.#goTo(step.index - 1);
    else if (!step.scroll.press(key) && step.input.press(key)) this.#fillIn(step);
    return true;
  }

  paste(text: string): boolean {
    const step = this.#step;
    if (!(step instanceof ChoiceDialog) && step.input instanceof TextInput) step.input.paste(text);
    return true;
  }

  get prompt(): Dialog["prompt"] {
    return this.#step instanceof ChoiceDialog ? this.#step.prompt : undefined;
  }

  draw(width: number, height: number): Frame {
    const step = this.#step;
    if (step instanceof ChoiceDialog) return step.draw(width, height);
    const room = Math.max(3, Math.floor(height / 2));
    return stack(questionBody(step.lines, width, room, step.scroll), step.input.draw(width, height - room));
  }

  #start(unknown: readonly string[], isTyping: boolean): ChoiceDialog<Next> {
    const { title, description } = this.#question.schema;
    const lines: QuestionLine[] = [
      this.#head(),
      ...[title, description].flatMap((text) => (text == null ? [] : [plain(text)])),
      ...this.#fields.map(([name, field]) => plain(`• ${this.#labelOf(name, field)}`)),
      ...unknown.map(
        (name) => ({ ...plain(`${name}: this client cannot show a field of this kind`), tone: "warning" }) as const,
      ),
    ];
    const entries = [{ label: "Fill it in", value: "fill" } as const, { label: "Decline", value: "decline" } as const];
    return this.#choice(lines, entries, isTyping);
  }

  #review(): ChoiceDialog<Next> {
    const problems = this.#question.validate(this.#content);
    const values = this.#fields.flatMap(([name, field]) => {
      const value = this.#content[name];
      return value === undefined ? [] : [plain(`${labelOf(name, field)}: ${displayValue(field, value)}`)];
    });
    const lines: QuestionLine[] = [
      this.#head(),
      { ...plain(problems.length === 0 ? "You are about to send:" : "This cannot be sent yet:"), indent: 0 },
      ...(values.length === 0 ? [plain("(nothing)")] : values),
      ...problems.map(({ path, reason }) => ({ ...plain(`! ${path.join("/")} ${reason}`), tone: "error" }) as const),
    ];
    const entries = [
      ...(problems.length === 0 ? [{ label: "Send", value: "send" } as const] : []),
      { label: "Edit", value: "fill" } as const,
      { label: "Decline", value: "decline" } as const,
    ];
    return this.#choice(lines, entries, false);
  }

  #choice(
    lines: readonly QuestionLine[],
    entries: readonly { readonly label: string; readonly value: Next }[],
    isTyping: boolean,
  ): ChoiceDialog<Next> {
    return new ChoiceDialog<Next>({ lines, entries, escape: "Esc: no answer" }, isTyping, (next) => {
      if (next === "fill") this.#goTo(0);
      else this.#end(next === "send" ? { action: "accept", content: this.#content } : { action: next ?? "cancel" });
    });
  }

  #goTo(index: number, problem?: string): void {
    const entry = this.#fields[Math.max(0, index)];
    if (entry === undefined) {
      this.#step = this.#review();
      return;
    }
    const [name, field] = entry;
    const value = this.#content[name];
    const lines: QuestionLine[] = [
      this.#head(),
      { text: `${Math.max(0, index) + 1} of ${this.#fields.length}`, tone: "dim", indent: 2 },
      { text: [{ text: this.#labelOf(name, field), isStrong: true }], tone: "plain", indent: 2 },
      ...(field.description == null ? [] : [plain(field.description)]),
      ...(problem === undefined ? [] : [{ ...plain(`It ${problem}`), tone: "error" } as const]),
    ];
    this.#step = {
      index: Math.max(0, index),
      lines,
      scroll: new Scroll(),
      input: createFieldInput(field, value, this.#isRequired(name)),
    };
  }

  /** Takes over what was entered, and goes on if it is valid. */
  #fillIn({ index, input }: FieldStep): void {
    const entry = this.#fields[index];
    if (entry === undefined) return;
    const [name, field] = entry;
    const { value } = input;
    if (value === undefined) delete this.#content[name];
    else this.#content[name] = value;
    const problem = this.#question.validate(this.#content).find(({ path }) => path[0] === name);
    if (problem === undefined) this.#goTo(index + 1);
    else this.#goTo(index, reasonOf(field, problem.reason, value));
  }

  #end(answer: ElicitationAnswer<FilledForm>): void {
    this.#isAnswered = true;
    this.#answer(answer);
  }

  #head(): QuestionLine {
    return { text: `? ${this.#agent} asks: ${this.#question.message}`, tone: "title" };
  }

  #labelOf(name: string, field: FormField): string {
    const facts = [...(this.#isRequired(name) ? ["required"] : []), kindOf(field)];
    return `${labelOf(name, field)} (${facts.join(", ")})`;
  }

  #isRequired(name: string): boolean {
    return this.#question.schema.required?.includes(name) === true;
  }
}

/** What can be entered. */
function kindOf(field: FormField): string {
  if (field.type === "array") return "any of a list";
  return field.type !== "boolean" && choicesOf(field) !== undefined ? "one of a list" : hintOf(field);
}

function plain(text: string): QuestionLine {
  return { text, tone: "plain", indent: 2 };
}

/** What the user enters into a field of a form. */
type FieldInput = TextInput | ListInput;

function createFieldInput(
  field: FormField,
  value: ElicitationContentValue | undefined,
  isRequired: boolean,
): FieldInput {
  const isList = field.type === "boolean" || field.type === "array" || choicesOf(field) !== undefined;
  return isList ? new ListInput(field, value, isRequired) : new TextInput(field, value);
}

/** A text or a number. */
class TextInput {
  #editor: Editor;
  readonly #field: FormField;

  constructor(field: FormField, value: ElicitationContentValue | undefined) {
    this.#field = field;
    this.#editor = withText(emptyEditor, value === undefined ? "" : displayValue(field, value));
  }

  get inLines(): Pick<LineQuestion, "now"> {
    return { now: fullText(this.#editor) };
  }

  fill(given: readonly number[] | string): void {
    this.#editor = withText(emptyEditor, String(given));
  }

  /** Nothing typed is no answer. */
  get value(): ElicitationContentValue | undefined {
    const text = fullText(this.#editor);
    return text.trim() === "" ? undefined : valueOf(this.#field, this.#field.type === "string" ? text : text.trim());
  }

  /** Returns whether the field is filled in. */
  press(key: Key): boolean {
    if ((key.name === "enter" && !key.alt && !key.shift) || key.name === "tab") return true;
    this.#editor = editByKey(this.#editor, key) ?? this.#editor;
    return false;
  }

  paste(text: string): void {
    this.#editor = paste(this.#editor, text);
  }

  draw(width: number): Frame {
    const keys = truncate([span(`Enter: next · ${otherKeys}`, "dim")], width);
    return stack(editorView(this.#editor, { columns: width, height: 4 }), [keys]);
  }
}

/** One of several values, or several of them. */
class ListInput {
  readonly #isMultiple: boolean;
  readonly #picker: ListPicker<string | boolean | undefined>;
  readonly #field: FormField;
  readonly #isRequired: boolean;
  #chosen: readonly (string | boolean)[];

  constructor(field: FormField, value: ElicitationContentValue | undefined, isRequired: boolean) {
    this.#field = field;
    this.#isRequired = isRequired;
    this.#isMultiple = field.type === "array";
    this.#chosen = Array.isArray(value)
      ? value
      : typeof value === "string" || typeof value === "boolean"
        ? [value]
        : [];
    this.#picker = new ListPicker(this.#entries());
  }

  get inLines(): Pick<LineQuestion, "now" | "entries" | "takesSeveral"> {
    const entries = this.#picker.shown;
    const marked = entries.filter(({ isMarked }) => isMarked).map(({ label }) => label);
    return { entries, takesSeveral: this.#isMultiple, now: marked.join(", ") };
  }

  fill(given: readonly number[] | string): void {
    this.#chosen = [];
    for (const index of new Set<number | string>(given)) this.#choose(this.#picker.shown[Number(index)]?.value);
  }

  get value(): ElicitationContentValue | undefined {
    if (!this.#isMultiple) return this.#chosen[0];
    const texts = this.#chosen.filter((one) => typeof one === "string");
    return texts.length === 0 && !this.#isRequired ? undefined : texts;
  }

  /** Returns whether the field is filled in. */
  press(key: Key): boolean {
    if (key.name === "tab") return true;
    if (this.#isMultiple && key.name === "enter") return true;
    const isSpace = this.#isMultiple && key.text === " " && this.#picker.filter === "";
    const entry = isSpace ? this.#picker.current : this.#picker.press(key);
    if (typeof entry !== "object") return false;
    this.#choose(entry.value);
    this.#picker.update(this.#entries());
    return !this.#isMultiple;
  }

  draw(width: number, height: number): Frame {
    const isMultiple = this.#isMultiple;
    const keys = `${isMultiple ? "Space: choose · Enter: next" : "Enter: choose"} · ${otherKeys}`;
    const look = { title: "Choose", keys, width, height, ...(isMultiple ? { marks: ["[x]", "[ ]"] as const } : {}) };
    return { lines: listView(this.#picker, look) };
  }

  #choose(value: string | boolean | undefined): void {
    if (value === undefined) this.#chosen = [];
    else if (!this.#isMultiple) this.#chosen = [value];
    else if (this.#chosen.includes(value)) this.#chosen = this.#chosen.filter((one) => one !== value);
    else this.#chosen = [...this.#chosen, value];
  }

  #entries(): ListEntry<string | boolean | undefined>[] {
    const choices =
      this.#field.type === "boolean"
        ? [
            { value: true, title: "yes" },
            { value: false, title: "no" },
          ]
        : (choicesOf(this.#field) ?? []);
    const entries = choices.map(({ value, title }) => ({
      value,
      label: title,
      isMarked: this.#chosen.includes(value),
    }));
    const nothing = { value: undefined, label: "(no answer)", isMarked: this.#chosen.length === 0 };
    return this.#isMultiple || this.#isRequired ? entries : [...entries, nothing];
  }
}
