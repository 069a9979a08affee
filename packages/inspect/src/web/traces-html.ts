import { requireArgument } from "@acp/core/internal";
import type { RecordedMessage } from "@acp/record";

import { createInspector } from "../inspector.ts";
import { TraceEntries } from "./trace-entries.ts";
import { TracePacker } from "./trace-packer.ts";
import { type FrontPage, viewerWith } from "./viewer.ts";

/** A trace of a page that has several. */
export interface NamedTrace {
  /** What a link names it by. */
  readonly id: string;
  /** What it is, as text. */
  readonly title: string;
  /** Its connections, one after the other, each as its client recorded it; `initialize` may be missing. */
  readonly connections: readonly (readonly RecordedMessage[])[];
}

/**
 * Makes one HTML file of several recordings with a page in front of them, such as a report: its links `<a href="#t=id">` open
 * the recording with this id as {@link traceHtml} shows it. Passwords and tokens are removed from the messages.
 */
export async function tracesHtml(front: FrontPage, traces: readonly NamedTrace[]): Promise<string> {
  requireArgument(typeof front?.html === "string", "tracesHtml() takes a front page: title, html and style", front);
  requireArgument(Array.isArray(traces), "tracesHtml() takes a list of traces", traces);
  const data = traces.map(({ title, connections }, at) => {
    const packer = new TracePacker();
    const entries = new TraceEntries();
    for (const connection of connections) {
      const inspector = createInspector();
      for (const { time, direction, message } of connection) {
        const inspected = inspector.take(direction === "sent" ? "client" : "agent", message, new Date(time));
        packer.add(entries.add(inspected, message));
      }
    }
    return packer.elements({ title, withSecrets: false, withoutText: false }, `${at}-`);
  });
  const names = JSON.stringify(traces.map(({ id }) => id)).replaceAll("<", "\\u003c");
  const elements = [`<script type="text/plain" id="traces">${names}</script>`, ...(await Promise.all(data))];
  return viewerWith({ data: elements.join("\n"), title: front.title, front });
}
