import type { FramingIssue } from "@acp/framing";
import type { TransportSink } from "../transport.ts";

/** A sink that writes down what it gets, for tests. */
export interface RecordingSink extends TransportSink {
  readonly messages: string[];
  readonly issues: FramingIssue[];
  readonly queueNotices: number[];
  /** Everything in order: `message …`, `issue …`, `closed …`. */
  readonly events: string[];
  /** Resolves once `closed` was called. */
  readonly ended: Promise<Error | undefined>;
}

export function recordingSink(): RecordingSink {
  const messages: string[] = [];
  const issues: FramingIssue[] = [];
  const queueNotices: number[] = [];
  const events: string[] = [];
  let settle!: (reason: Error | undefined) => void;
  const ended = new Promise<Error | undefined>((resolve) => {
    settle = resolve;
  });
  return {
    messages,
    issues,
    queueNotices,
    events,
    ended,
    message(text) {
      messages.push(text);
      events.push(`message ${text}`);
    },
    issue(issue) {
      issues.push(issue);
      events.push(`issue ${issue.code}`);
    },
    closed(reason) {
      events.push(reason === undefined ? "closed" : `closed ${reason.message}`);
      settle(reason);
    },
    sendQueueGrew(waiting) {
      queueNotices.push(waiting);
    },
  };
}
