import type { Diagnostic } from "@acp/core";

/** How much of a stack is worth its place in a line: the others stand in what `onDiagnostic` is given. */
const frames = 3;

/** A diagnostic with its error, if it has one, in one line. */
export function errorLine(diagnostic: Diagnostic): string {
  const { type, message } = diagnostic;
  const method = "method" in diagnostic && diagnostic.method !== undefined ? ` ${diagnostic.method}` : "";
  const subject = `[acp] ${type}${message.includes(method) ? "" : method}: ${message}`;
  return oneLine("error" in diagnostic ? subject + describe(diagnostic.error, message) : subject);
}

/** What a message does not say of its error. */
function describe(error: unknown, message: string): string {
  try {
    if (!(error instanceof Error)) return message.includes(String(error)) ? "" : `: ${String(error)}`;
    const stack = (error.stack ?? "").split("\n").filter((line) => /^\s+at \S/u.test(line));
    const what = message.includes(error.message) ? ` (${error.name})` : `: ${error.name}: ${error.message}`;
    return [what, ...stack.slice(0, frames)].join("\n");
  } catch {
    // Anything can be thrown, also what throws itself when it is looked at.
    return message.includes("cannot be shown") ? "" : ": something that cannot be shown";
  }
}

/** What a terminal acts on instead of showing it, a tab apart. */
const controls = /(?!\t)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** In one line, and safe for a terminal: an error may quote a peer. */
function oneLine(text: string): string {
  // A pattern for breaks with the space around them would take the square of the space that stands elsewhere.
  const lines = text.split(/[\r\n]+/u).map((line) => line.trim());
  return lines
    .filter((line) => line !== "")
    .join(" | ")
    .replaceAll(controls, (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`);
}
