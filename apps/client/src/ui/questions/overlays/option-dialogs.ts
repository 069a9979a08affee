import type { ChatActions, ChatState, SessionOption } from "../../chat-state.ts";
import type { Dialog } from "../dialog.ts";
import { ListDialog } from "../list-dialog.ts";
import type { ListEntry } from "../list-picker.ts";

/** The values of an option, to choose one. */
export function optionDialog(option: SessionOption, state: ChatState, actions: ChatActions): Dialog {
  const shown = { title: option.name, keys: "Enter: choose · Esc: close", entries: valueEntries(option) };
  return new ListDialog(
    state,
    () => shown,
    (key, value) => {
      if (key !== "enter" || value === undefined) return undefined;
      return () => value !== option.value && actions.setOption(option, value);
    },
    actions.closeOverlay,
  );
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
export function optionsDialog(state: ChatState, actions: ChatActions): Dialog {
  return new ListDialog(
    state,
    ({ options }) => ({ title: "Options", keys: "Enter: change · Esc: close", entries: options.map(optionEntry) }),
    (key, option) => {
      if (key !== "enter" || option === undefined) return undefined;
      if (typeof option.value === "boolean" && option.choices.length === 0) actions.setOption(option, !option.value);
      else actions.open({ option });
      return undefined;
    },
    actions.closeOverlay,
  );
}

function optionEntry(option: SessionOption): ListEntry<SessionOption> {
  return { value: option, label: `${option.name}: ${valueName(option)}`, detail: option.description };
}

/** What the value of an option is called. */
export function valueName({ value, choices }: SessionOption): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return choices.find((choice) => choice.value === value)?.name ?? value;
}
