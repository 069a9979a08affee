import { requireArgument } from "@acp/core/internal";
import type { RecordedMessage } from "@acp/record";

import { inspectRecording } from "../inspect-recording.ts";
import type { InspectorOptions } from "../inspector.ts";
import { type TraceContent, TraceEntries } from "./trace-entries.ts";
import { TracePacker } from "./trace-packer.ts";

/** Options of {@link traceHtml}. */
export interface TraceHtmlOptions extends InspectorOptions, TraceContent {
  /** The title of the page. Default: `ACP trace` */
  readonly title?: string | undefined;
}

/**
 * Makes one HTML file of the recording of a connection: a page that needs no network, and shows each message, what is wrong
 * with it, how long each request took, and the session as its user saw it. Messages are compressed. Passwords and tokens are
 * removed by the rules of `@acp/record`, unless the options say otherwise.
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
  const packer = new TracePacker();
  for (const [index, message] of messages.entries()) packer.add(entries.add(message, recording[index]!.message));
  const { title = "ACP trace", withSecrets = false, withoutText = false } = options;
  return packer.page({ title, withSecrets, withoutText });
}
