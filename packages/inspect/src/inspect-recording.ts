import type { RecordedMessage } from "@acp/record";
import { UsageError } from "@acp/core";

import { type InspectedMessage, isOpening, membersOf, type Side, type Unanswered } from "./inspected.ts";
import { createInspector, type InspectorOptions } from "./inspector.ts";
import { requireArgument } from "@acp/core/internal";

/** What {@link inspectRecording} returns. */
export interface InspectedRecording {
  /** All messages, in order. */
  readonly messages: readonly InspectedMessage[];
  /** The messages with a violation. */
  readonly wrong: readonly InspectedMessage[];
  /** The requests without an answer in the recording, oldest first. */
  readonly unanswered: readonly Unanswered[];
}

/**
 * Inspects the recording of one connection, as `recordTraffic` and `parseRecording` of `@acp/record` return it.
 *
 * @throws {UsageError} for a recording without `initialize`: it does not show which side is the client.
 */
export function inspectRecording(
  recording: readonly RecordedMessage[],
  options?: InspectorOptions,
): InspectedRecording {
  requireArgument(Array.isArray(recording), "inspectRecording() takes a recording, a list of entries", recording);
  const opening = recording.find(({ message }) => isOpening(membersOf(message)["method"]));
  if (opening === undefined) {
    throw new UsageError("The recording has no initialize: record a connection from its start");
  }
  const inspector = createInspector(options);
  const messages = recording.map(({ time, direction, message }) => {
    const from: Side = direction === opening.direction ? "client" : "agent";
    return inspector.take(from, message, new Date(time));
  });
  return {
    messages,
    wrong: messages.filter(({ findings }) => findings.some(({ isHint }) => isHint !== true)),
    unanswered: inspector.unanswered(),
  };
}
