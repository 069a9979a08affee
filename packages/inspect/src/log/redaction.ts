import { redactCredentials, redactLine } from "@acp/record";

/** What takes secrets out of what is shown. */
export interface Redaction {
  /** Of a message, parsed. */
  message(message: unknown): unknown;
  /** Of a text that is no message. */
  text(text: string): string;
}

export const withoutSecrets: Redaction = { message: redactCredentials, text: redactLine };
export const withSecrets: Redaction = { message: (message) => message, text: (text) => text };
