import { requireArgument } from "@acp/core/internal";
import type { RecordedMessage } from "@acp/record";
import { compareRecordings } from "@acp/record/compare";

import { inspectRecording } from "../inspect-recording.ts";
import { TraceEntries } from "./trace-entries.ts";
import type { TraceHtmlOptions } from "./trace-html.ts";
import { TracePacker } from "./trace-packer.ts";

/**
 * Makes one HTML file of two recordings, as {@link traceHtml} does of one: messages that belong together are one row, with the
 * members that differ, and how much longer an answer took. Sessions of the second recording are called `b:…`.
 *
 * @throws {UsageError} for a recording without `initialize`: it does not show which side is the client.
 */
export async function compareHtml(
  left: readonly RecordedMessage[],
  right: readonly RecordedMessage[],
  options: TraceHtmlOptions = {},
): Promise<string> {
  requireArgument(Array.isArray(left), "compareHtml() takes two recordings, lists of entries", left);
  requireArgument(Array.isArray(right), "compareHtml() takes two recordings, lists of entries", right);
  const packer = new TracePacker();
  // What is compared is what the page may have.
  const shown = [left, right].map((recording, isRight) => {
    const { messages } = inspectRecording(recording, options);
    const entries = new TraceEntries(options);
    return messages.map((message, index): RecordedMessage => {
      const { entry, text } = entries.add(message, recording[index]!.message);
      const session = isRight === 1 && entry.session !== undefined ? `b:${entry.session}` : entry.session;
      packer.add({ entry: { ...entry, session }, text });
      return { ...recording[index]!, message: JSON.parse(text) };
    });
  });
  const { rows } = compareRecordings(shown[0] ?? [], shown[1] ?? []);
  const { title = "Two ACP traces", withSecrets = false, withoutText = false } = options;
  const comparison = {
    from: left.length,
    rows: rows.map(({ left: one, right: other, changes, ratio }) => ({
      left: one?.index ?? -1,
      right: other === undefined ? -1 : left.length + other.index,
      changes: changes.map((change) => [change.path, change.left, change.right] as const),
      ratio,
    })),
  };
  return packer.page({ title, withSecrets, withoutText, comparison });
}
