import { stripVTControlCharacters } from "node:util";

import type { CommandOutcome } from "../../workspace/workspace.ts";

/** How much output the model gets, in characters. The end of it matters most. */
const maxLength = 30_000;

/** What the model reads of a command: how it has ended, and the end of its output without colors and progress bars. */
export function describeOutcome({ output, truncated, exitCode, signal, timedOut }: CommandOutcome): string {
  const end = timedOut
    ? "The time is up: the command was ended."
    : signal !== null
      ? `The command was ended by ${signal}.`
      : `Exit code: ${exitCode ?? "unknown"}`;
  const text = withoutOverwritten(stripVTControlCharacters(output)).trimEnd();
  if (text === "") return `${end}\n[There is no output.]`;
  const tail = text.slice(-maxLength).replace(/^[\uDC00-\uDFFF]/u, "");
  const note = truncated || tail.length < text.length ? "[The beginning of the output is left out.]\n" : "";
  return `${end}\n${note}${tail}`;
}

/** Whether what the model has read tells of a failure: it is all that is left of a command of an earlier session. */
export function describesFailure(description: string): boolean {
  return /^(?:The time is up:|The command was ended by |Exit code: (?!0(?:\n|$)))/u.test(description);
}

/** A carriage return goes back to the beginning of the line, and what comes then replaces what was there. */
function withoutOverwritten(text: string): string {
  return text
    .split(/\r?\n/u)
    .map((line) => line.slice(line.lastIndexOf("\r", line.length - 2) + 1))
    .join("\n");
}
