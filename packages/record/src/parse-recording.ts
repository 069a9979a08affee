import { UsageError } from "@acp/core";
import { isObject } from "@acp/core/internal";
import type { RecordedMessage } from "./record-transport.ts";

/**
 * Reads a recording that was written as JSON, an entry a line. Empty lines are passed over, and so is a last line that
 * breaks off, as that of a process which was ended.
 *
 * @throws {UsageError} for a line that is no entry of a recording; it names the line.
 */
export function parseRecording(text: string): RecordedMessage[] {
  // Editors and shells of Windows may put a byte order mark before it.
  const lines = text.replace(/^\uFEFF/u, "").split("\n");
  const entries: RecordedMessage[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const entry = parsed(line);
    // Whoever writes a line ends it with a line break.
    if (entry === undefined && index === lines.length - 1) break;
    entries.push(checkedEntry(entry, `Line ${index + 1}`));
  }
  return entries;
}

/** @throws {UsageError} if it is none; `place` says which. */
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

/** JSON as what it says; `undefined` if it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
