import { createRedactor, redactLine, type Redactor } from "@acp/record";

/** Removes secrets from what is shown of one connection. */
export interface Redaction extends Redactor {
  /** Redacts a text that is no message, and stands for itself. */
  text(text: string): string;
}

/** Creates a {@link Redaction}; with secrets, it changes nothing. */
export function createRedaction(withSecrets: boolean): Redaction {
  if (!withSecrets) return { ...createRedactor(), text: redactLine };
  return {
    message: (message) => message,
    line: (_, line) => line,
    piece: (_, piece) => piece,
    text: (text) => text,
  };
}
