import type { Prompt } from "../../chat-state.ts";

/** Makes a prompt of what the user typed, with the files that it names. */
export function toPrompt(text: string, _cwd: string): Prompt {
  return { text, attachments: [] };
}
