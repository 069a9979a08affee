import type { Diagnostic } from "@acp/core";
import { attempt, describeError } from "@acp/core/internal";

/** How many stack frames a line shows: `onDiagnostic` gets all of them. */
const frames = 3;

/** Writes a diagnostic, with its error if it has one, in one line. */
export function errorLine(diagnostic: Diagnostic): string {
  const { type, message } = diagnostic;
  const method = "method" in diagnostic && diagnostic.method !== undefined ? ` ${diagnostic.method}` : "";
  const subject = `[acp] ${type}${message.includes(method) ? "" : method}: ${message}`;
  return oneLine("error" in diagnostic ? subject + describe(diagnostic.error, message) : subject);
}

/** Describes the parts of an error that its message omits. */
function describe(error: unknown, message: string): string {
  const text = describeError(error);
  const isShown = message.includes(text);
  const plain = isShown ? "" : `: ${text}`;
  // Anything can be thrown, even a value that throws when it is read.
  const more = attempt(() => {
    if (!(error instanceof Error)) return plain;
    const stack = (error.stack ?? "").split("\n").filter((line) => /^\s+at \S/u.test(line));
    const what = isShown ? ` (${error.name})` : `: ${error.name}: ${text}`;
    return [what, ...stack.slice(0, frames)].join("\n");
  });
  return more ?? plain;
}

/** The characters that a terminal obeys instead of showing them, except a tab. */
const controls = /(?!\t)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** Joins lines, and makes them safe for a terminal: an error may quote a peer. */
function oneLine(text: string): string {
  // A pattern for breaks and the space around them would take the square of other space.
  const lines = text.split(/[\r\n]+/u).map((line) => line.trim());
  return lines
    .filter((line) => line !== "")
    .join(" | ")
    .replaceAll(controls, (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`);
}
