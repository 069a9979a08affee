import type { ChatActions, SessionOption } from "../../chat-state.ts";
import type { Key } from "../../input/keys.ts";
import type { Dialog } from "../dialog.ts";
import { type ListEntry, ListPicker } from "../list-picker.ts";

/** The values of an option, to choose one. */
export class OptionDialog implements Dialog {
  readonly kind = "list";
  readonly keys = "Enter: choose · Esc: close";
  readonly title: string;
  readonly picker: ListPicker<string | boolean>;
  readonly #option: SessionOption;
  readonly #actions: Pick<ChatActions, "setOption" | "closeOverlay">;
  #isDone = false;

  constructor(option: SessionOption, actions: Pick<ChatActions, "setOption" | "closeOverlay">) {
    this.title = option.name;
    this.picker = new ListPicker<string | boolean>(entriesOf(option));
    this.#option = option;
    this.#actions = actions;
  }

  press(key: Key): boolean {
    if (this.#isDone) return true;
    const chosen = key.name === "escape" ? undefined : this.picker.press(key);
    if (typeof chosen === "boolean") return true;
    this.#isDone = true;
    this.#actions.closeOverlay();
    if (chosen !== undefined && chosen.value !== this.#option.value) {
      this.#actions.setOption(this.#option, chosen.value);
    }
    return true;
  }
}

function entriesOf({ value, choices }: SessionOption): ListEntry<string | boolean>[] {
  if (choices.length > 0 || typeof value !== "boolean") {
    return choices.map(({ value: one, name, description, group }) => ({
      value: one,
      label: name,
      detail: description,
      group,
      isMarked: one === value,
    }));
  }
  return [
    { value: true, label: "on", isMarked: value },
    { value: false, label: "off", isMarked: !value },
  ];
}
