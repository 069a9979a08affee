import type { ChatActions, ChatState, SessionOption } from "../../chat-state.ts";
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
    this.picker = new ListPicker<string | boolean>(valueEntries(option));
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

function valueEntries({ value, choices }: SessionOption): ListEntry<string | boolean>[] {
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

/** All options of the session with their values, to change one. */
export class OptionsDialog implements Dialog {
  readonly kind = "list";
  readonly title = "Options";
  readonly keys = "Enter: change · Esc: close";
  readonly picker: ListPicker<SessionOption>;
  readonly #actions: Pick<ChatActions, "open" | "setOption" | "closeOverlay">;

  constructor(state: ChatState, actions: Pick<ChatActions, "open" | "setOption" | "closeOverlay">) {
    this.picker = new ListPicker(optionEntries(state));
    this.#actions = actions;
  }

  update(state: ChatState): void {
    this.picker.update(optionEntries(state));
  }

  press(key: Key): boolean {
    if (key.name === "escape") {
      this.#actions.closeOverlay();
      return true;
    }
    const chosen = this.picker.press(key);
    if (typeof chosen === "boolean") return true;
    const option = chosen.value;
    if (typeof option.value === "boolean" && option.choices.length === 0) {
      this.#actions.setOption(option, !option.value);
    } else {
      this.#actions.open({ option });
    }
    return true;
  }
}

function optionEntries({ options }: ChatState): ListEntry<SessionOption>[] {
  return options.map((option) => {
    const value = typeof option.value === "boolean" ? (option.value ? "on" : "off") : nameOf(option, option.value);
    return { value: option, label: `${option.name}: ${value}`, detail: option.description };
  });
}

function nameOf({ choices }: SessionOption, value: string): string {
  return choices.find((choice) => choice.value === value)?.name ?? value;
}
