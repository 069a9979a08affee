import { UsageError } from "@acp/core";
import { isObject, requireArgument } from "@acp/core/internal";
import type { RecordedMessage } from "./record-transport.ts";

/**
 * Reads a recording of JSON, one entry a line. Skips empty lines, and an incomplete last line of a process that was ended.
 *
 * @throws {UsageError} for a line that is not an entry; it names the line.
 */
export function parseRecording(text: string): RecordedMessage[] {
  requireArgument(typeof text === "string", "parseRecording() takes the text of a recording", text);
  // Editors and shells on Windows may write a byte order mark.
  const lines = text.replace(/^\uFEFF/u, "").split("\n");
  const entries: RecordedMessage[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const entry = parsed(line);
    // A complete line ends with a line break.
    if (entry === undefined && index === lines.length - 1) break;
    entries.push(checkedEntry(entry, `Line ${index + 1}`));
  }
  return entries;
}

/** @throws {UsageError} for what is not an entry; it names the place. */
export function checkedEntry(entry: unknown, place: string): RecordedMessage {
  if (isObject(entry) && isDirection(entry["direction"]) && entry["message"] !== undefined) {
    return entry as unknown as RecordedMessage;
  }
  throw new UsageError(
    `${place} of the recording is no entry: expected { "time": …, "direction": "sent" or "received", "message": … }`,
  );
}

function isDirection(value: unknown): boolean {
  return value === "sent" || value === "received";
}

/** Parses JSON; `undefined` if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
