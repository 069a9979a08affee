import { promisify } from "node:util";
import { gzip } from "node:zlib";

import { requireArgument } from "@acp/core/internal";
import type { RecordedMessage } from "@acp/record";

import { inspectRecording } from "../inspect-recording.ts";
import type { InspectorOptions } from "../inspector.ts";
import { TraceColumns } from "./trace-columns.ts";
import { type TraceContent, TraceEntries } from "./trace-entries.ts";
import { viewerWith } from "./viewer.ts";

/** A chunk is unpacked as a whole when one of its messages is looked at. */
const chunkMessages = 5_000;
/** Messages are large at times: then a chunk has fewer, in UTF-16 code units. */
const chunkUnits = 8_000_000;

/** Options of {@link traceHtml}. */
export interface TraceHtmlOptions extends InspectorOptions, TraceContent {
  /** The title of the page. Default: `ACP trace` */
  readonly title?: string | undefined;
}

/**
 * Makes one HTML file of the recording of a connection: a page that needs no network, and shows each message, what is wrong
 * with it, and how long each request took. Messages are compressed. Passwords and tokens are removed by the rules of
 * `@acp/record`, unless the options say otherwise.
 *
 * @throws {UsageError} for a recording without `initialize`: it does not show which side is the client.
 */
export async function traceHtml(
  recording: readonly RecordedMessage[],
  options: TraceHtmlOptions = {},
): Promise<string> {
  requireArgument(Array.isArray(recording), "traceHtml() takes a recording, a list of entries", recording);
  const { messages } = inspectRecording(recording, options);
  const entries = new TraceEntries(options);
  const columns = new TraceColumns();
  const packed: Promise<string>[] = [];
  const chunks: number[] = [];
  let lines: string[] = [];
  let units = 0;
  const pack = (): void => {
    packed.push(compressed(lines.join("\n")));
    lines = [];
    units = 0;
  };
  for (const [index, message] of messages.entries()) {
    const { entry, text } = entries.add(message, recording[index]!.message);
    if (lines.length >= chunkMessages || (units > 0 && units + text.length > chunkUnits)) pack();
    if (lines.length === 0) chunks.push(index);
    columns.add(entry);
    lines.push(text);
    units += text.length;
  }
  if (lines.length > 0) pack();
  const { title = "ACP trace", withSecrets = false, withoutText = false } = options;
  const index = columns.index({ title, chunks, withSecrets, withoutText });
  const data = [
    `<script type="text/plain" id="trace">${await compressed(JSON.stringify(index))}</script>`,
    ...(await Promise.all(packed)).map((text, n) => `<script type="text/plain" id="chunk-${n}">${text}</script>`),
  ];
  return viewerWith({ data: data.join("\n"), title });
}

async function compressed(text: string): Promise<string> {
  return (await promisify(gzip)(text, { level: 9 })).toString("base64");
}
