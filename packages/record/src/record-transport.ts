import type { Transport } from "@acp/core";
import { watch, requireArgument, requireStart } from "@acp/core/internal";
import { isTooDeep } from "./redact/redact-message.ts";
import { createRedactor } from "./redact/redactor.ts";

/** One message of a recording. `acp-codegen infer` reads recordings as JSON, one message a line. */
export interface RecordedMessage {
  /** When the message was queued or received: ISO 8601, UTC, with milliseconds. */
  readonly time: string;
  /** As seen from the side that records. */
  readonly direction: "sent" | "received";
  /**
   * The message without credentials; a text if it was not JSON. Whatever is nested deeper than 500 levels is removed, so that
   * `JSON.stringify` can write it.
   */
  readonly message: unknown;
}

/** Where a recording goes: `(entry) => file.write(JSON.stringify(entry) + "\n")`. */
export type RecordSink = (entry: RecordedMessage) => void;

/** Options of {@link recordTransport}. */
export interface RecordOptions {
  /**
   * Removes the secrets from a parsed message. Default: that of {@link createRedactor}, which also recognises secrets that are
   * split over chunks. To remove more, pass a function that calls it first. `false` records everything; a message with
   * more than 500 levels is then recorded as text.
   */
  readonly redact?: ((message: unknown) => unknown) | false | undefined;
}

/**
 * Creates a function for the option `onTraffic` of `serveStdio`, `spawnAgent` and the transports. It passes each message to
 * `sink`, without credentials. What `sink` throws becomes an uncaught error, and does not affect the connection.
 */
export function recordTraffic(
  sink: RecordSink,
  options?: RecordOptions,
): (direction: "sent" | "received", text: string) => void {
  requireArgument(typeof sink === "function", "A recording needs a function that takes its entries", sink);
  const redactor = createRedactor();
  const redact = options?.redact ?? redactor.message;
  return (direction, text) => {
    // Before the message is parsed, which takes time.
    const time = new Date().toISOString();
    sink({ time, direction, message: redact === false ? wholeMessage(text) : redacted(direction, text, redact) });
  };

  function redacted(direction: string, text: string, redactMessage: (message: unknown) => unknown): unknown {
    const message = parsed(text);
    // A text that is not JSON may be anything, such as a log line with a token.
    return typeof message === "string" ? redactor.line(direction, message) : redactMessage(message);
  }
}

/** Creates a transport that records another one: {@link recordTraffic} for any transport. */
export function recordTransport(inner: Transport, sink: RecordSink, options?: RecordOptions): Transport {
  requireStart(inner, "recordTransport takes a transport");
  const record = recordTraffic(sink, options);
  return {
    start: (own) =>
      inner.start({
        message(text) {
          watch(record, "received", text);
          own.message(text);
        },
        issue: (issue) => own.issue(issue),
        closed: (reason) => own.closed(reason),
        sendQueueGrew: (waiting) => own.sendQueueGrew?.(waiting),
      }),
    send(text, flush, isStringified) {
      const room = inner.send(text, flush, isStringified);
      // Afterwards: `send` may have thrown.
      watch(record, "sent", text);
      return room;
    },
    pause: () => inner.pause(),
    resume: () => inner.resume(),
    flush: () => inner.flush?.(),
    close: () => inner.close(),
  };
}

function wholeMessage(text: string): unknown {
  const message = parsed(text);
  return isTooDeep(message) ? text : message;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
