import type { ElicitationContentValue } from "@acp/schema/v1";

import { choicesOf, displayValue, type FormField, valueOf } from "../../../protocol/elicitation/form-field.ts";
import { editByKey } from "../../input/editor/edit-keys.ts";
import { type Editor, emptyEditor, fullText, paste, withText } from "../../input/editor/editor.ts";
import type { Key } from "../../input/keys.ts";
import { type ListEntry, ListPicker } from "../list-picker.ts";

/** What the user enters into a field of a form. */
export type FieldInput = TextInput | ListInput;

export function createFieldInput(
  field: FormField,
  value: ElicitationContentValue | undefined,
  isRequired: boolean,
): FieldInput {
  const isList = field.type === "boolean" || field.type === "array" || choicesOf(field) !== undefined;
  return isList ? new ListInput(field, value, isRequired) : new TextInput(field, value);
}

/** A text or a number. */
class TextInput {
  readonly kind = "text";
  editor: Editor;
  readonly #field: FormField;

  constructor(field: FormField, value: ElicitationContentValue | undefined) {
    this.#field = field;
    this.editor = withText(emptyEditor, value === undefined ? "" : displayValue(field, value));
  }

  /** Nothing typed is no answer. */
  get value(): ElicitationContentValue | undefined {
    const text = fullText(this.editor);
    return text.trim() === "" ? undefined : valueOf(this.#field, this.#field.type === "string" ? text : text.trim());
  }

  /** Returns whether the field is filled in. */
  press(key: Key): boolean {
    if ((key.name === "enter" && !key.alt && !key.shift) || key.name === "tab") return true;
    this.editor = editByKey(this.editor, key) ?? this.editor;
    return false;
  }

  paste(text: string): void {
    this.editor = paste(this.editor, text);
  }
}

/** One of several values, or several of them. */
class ListInput {
  readonly kind = "list";
  readonly isMultiple: boolean;
  readonly picker: ListPicker<string | boolean | undefined>;
  readonly #field: FormField;
  readonly #isRequired: boolean;
  #chosen: readonly (string | boolean)[];

  constructor(field: FormField, value: ElicitationContentValue | undefined, isRequired: boolean) {
    this.#field = field;
    this.#isRequired = isRequired;
    this.isMultiple = field.type === "array";
    this.#chosen = Array.isArray(value)
      ? value
      : typeof value === "string" || typeof value === "boolean"
        ? [value]
        : [];
    this.picker = new ListPicker(this.#entries());
  }

  get value(): ElicitationContentValue | undefined {
    if (!this.isMultiple) return this.#chosen[0];
    const texts = this.#chosen.filter((one) => typeof one === "string");
    return texts.length === 0 && !this.#isRequired ? undefined : texts;
  }

  /** Returns whether the field is filled in. */
  press(key: Key): boolean {
    if (key.name === "tab") return true;
    if (this.isMultiple && key.name === "enter") return true;
    const isSpace = this.isMultiple && key.text === " " && this.picker.filter === "";
    const entry = isSpace ? this.picker.current : this.picker.press(key);
    if (typeof entry !== "object") return false;
    this.#choose(entry.value);
    this.picker.update(this.#entries());
    return !this.isMultiple;
  }

  #choose(value: string | boolean | undefined): void {
    if (value === undefined) this.#chosen = [];
    else if (!this.isMultiple) this.#chosen = [value];
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
    return this.isMultiple || this.#isRequired ? entries : [...entries, nothing];
  }
}
