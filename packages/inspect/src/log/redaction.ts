import { redactCredentials, redactLine } from "@acp/record";

/** Removes secrets from what is shown. */
export interface Redaction {
  /** Redacts a parsed message. */
  message(message: unknown): unknown;
  /** Redacts a text that is no message. */
  text(text: string): string;
}

export const withoutSecrets: Redaction = { message: redactCredentials, text: redactLine };
export const withSecrets: Redaction = { message: (message) => message, text: (text) => text };
