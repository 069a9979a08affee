import { maskLine } from "./find-secrets.ts";
import { IdPlaceholders, redactMessage, redactText } from "./redact-message.ts";
import { requireArgument } from "@acp/core/internal";

/**
 * Copies a message without credentials, for logs. Removes:
 *
 * - the values of environments and headers, and of any pair of a name and a value whose name is that of a secret;
 * - members with names such as `authorization`, `token`, `apiKey`, `pwd` or `otp`, in any object, also in `_meta`;
 * - in the arguments of a command, the values of options such as `--token`, `-u user:` and `-p`, and of the variables and
 *   headers after `-e` and `-H`;
 * - in any text, private keys, tokens of a known form, credentials in URLs, `Authorization` headers, and what is assigned to
 *   the name of a secret: `API_KEY=…`, `password: …`, `--token …`;
 * - what is nested deeper than 500 levels.
 *
 * What only refers to a secret stays: `$TOKEN`, `${API_KEY}`, `<token>`; and so do the schemas of forms and tools. The time it
 * takes grows with the length of the message, whatever the message says.
 *
 * Other secrets stay, such as a password that is a word of a sentence. Keep a recording as private as what it records.
 * {@link createRedactor} also recognises secrets that are split over several messages.
 */
export function redactCredentials(message: unknown): unknown {
  return redactMessage(message);
}

/**
 * Removes credentials from a line of text, for logs: those that {@link redactCredentials} recognises in texts. In a line that
 * looks like JSON, everything after the name of a secret is removed: the line may have been cut off.
 */
export function redactLine(line: string): string {
  requireArgument(typeof line === "string", "redactLine() takes text", line);
  return redactText(line, new IdPlaceholders(), maskLine);
}

/** The value of a variable without credentials, as {@link redactLine} finds them in `NAME=value`. */
export function redactVariable(name: string, value: string): string {
  requireArgument(typeof name === "string", "redactVariable() takes a name and a value", name);
  requireArgument(typeof value === "string", "redactVariable() takes a name and a value", value);
  const redacted = redactLine(`${name}=${value}`);
  return redacted.startsWith(`${name}=`) ? redacted.slice(name.length + 1) : "[redacted]";
}
