import type { RunCommand } from "../cli/command.ts";
import { parseOptions } from "../cli/options.ts";
import { writeTracePage } from "../protocol/trace-page.ts";
import { jsonText } from "../text/json-text.ts";
import { describeEntry } from "./describe-entry.ts";
import { logHubSpec } from "./hub-spec.ts";
import { JournalRecording } from "./journal-recording.ts";
import { type NamedSession, withSession } from "./named-session.ts";
import { readEntries } from "./read-entries.ts";

/** Prints what the journal has of a session. */
export const run: RunCommand = (args, streams) => {
  const parsed = parseOptions(args, logHubSpec.options);
  const { follow, json, html } = parsed.values;
  if (html !== undefined) return withSession(parsed, streams, (found) => writePage(html, found));
  const end = new AbortController();
  if (follow) for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => end.abort());
  streams.onOutputClosed?.(() => end.abort());
  return withSession(parsed, streams, async ({ session, journal }) => {
    for await (const read of readEntries(journal, session, follow ? end : undefined)) {
      if (end.signal.aborted) return;
      const line = json ? jsonText(JSON.parse(read.text)) : describeEntry(read);
      if (streams.output.write(`${line}\n`)) continue;
      // Nobody waits for a reader that is gone.
      await new Promise<void>((resolve) => {
        streams.output.once("drain", resolve);
        end.signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  });
};

/** Makes a page of what the journal has of a session. */
async function writePage(file: string, { session, journal }: NamedSession): Promise<void> {
  const recording = new JournalRecording(session);
  for await (const { entry } of readEntries(journal, session)) if (entry !== undefined) recording.add(entry);
  await writeTracePage(file, "--html", recording.entries);
}
