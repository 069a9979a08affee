import type { ChatState } from "../chat-state.ts";
import type { Key } from "../input/keys.ts";

/** Something that has the keyboard instead of the editor. */
export interface Dialog {
  /** Returns whether it used the key. Text that it does not use belongs to the prompt that the user is typing. */
  press(key: Key): boolean;
  /** Takes pasted text; without this it goes to the prompt. */
  paste?(text: string): void;
  /** What is shown has changed while the dialog is open. */
  update?(state: ChatState): void;
}
