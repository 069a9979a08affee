import type { ChatActions, ChatState, SessionOption } from "../../chat-state.ts";
import type { Key } from "../../input/keys.ts";
import type { Dialog } from "../dialog.ts";
import { type ListEntry, ListPicker } from "../list-picker.ts";

/** All options of the session with their values, to change one. */
export class OptionsDialog implements Dialog {
  readonly kind = "list";
  readonly title = "Options";
  readonly keys = "Enter: change · Esc: close";
  readonly picker: ListPicker<SessionOption>;
  readonly #actions: Pick<ChatActions, "open" | "setOption" | "closeOverlay">;

  constructor(state: ChatState, actions: Pick<ChatActions, "open" | "setOption" | "closeOverlay">) {
    this.picker = new ListPicker(entriesOf(state));
    this.#actions = actions;
  }

  update(state: ChatState): void {
    this.picker.update(entriesOf(state));
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

function entriesOf({ options }: ChatState): ListEntry<SessionOption>[] {
  return options.map((option) => {
    const value = typeof option.value === "boolean" ? (option.value ? "on" : "off") : nameOf(option, option.value);
    return { value: option, label: `${option.name}: ${value}`, detail: option.description };
  });
}

function nameOf({ choices }: SessionOption, value: string): string {
  return choices.find((choice) => choice.value === value)?.name ?? value;
}
