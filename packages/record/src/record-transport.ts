import type { Transport } from "@acp/core";
import { watch } from "@acp/core/internal";
import { isTooDeep, redactCredentials, redactLine } from "./redact.ts";

/** One message of a recording. As JSON, one a line, a recording is what `acp-codegen infer` reads. */
export interface RecordedMessage {
  /** When it was queued to be sent, or came in: ISO 8601, UTC, with milliseconds. */
  readonly time: string;
  /** Seen from the side that records. */
  readonly direction: "sent" | "received";
  /**
   * The message, without credentials; a text if it was no JSON. What a peer has nested deeper than 500 levels
   * is left out, so that `JSON.stringify` can write it.
   */
  readonly message: unknown;
}

/** Where a recording goes: `(entry) => file.write(JSON.stringify(entry) + "\n")`. */
export type RecordSink = (entry: RecordedMessage) => void;

/** Options of {@link recordTransport}. */
export interface RecordOptions {
  /**
   * Takes the secrets out of a parsed message. Default: {@link redactCredentials}. To take out more, pass a function that
   * calls it first. `false` records everything as it is; a message with more than 500 levels is then recorded as its text.
   */
  readonly redact?: ((message: unknown) => unknown) | false | undefined;
}

/**
 * A function for the option `onTraffic` of `serveStdio`, `spawnAgent` and the transports, which hands
 * each message to `sink`, without credentials. What `sink` throws becomes an uncaught error and changes
 * nothing on the connection.
 */
export function recordTraffic(
  sink: RecordSink,
  options?: RecordOptions,
): (direction: "sent" | "received", text: string) => void {
  const redact = options?.redact ?? redactCredentials;
  return (direction, text) => {
    // The time first: what follows takes some.
    const time = new Date().toISOString();
    sink({ time, direction, message: redact === false ? wholeMessage(text) : redactedMessage(text, redact) });
  };
}

/** A transport that hands everything it carries to `sink` as well: {@link recordTraffic} for any transport. */
export function recordTransport(inner: Transport, sink: RecordSink, options?: RecordOptions): Transport {
  const record = recordTraffic(sink, options);
  return {
    start: (given) =>
      inner.start({
        message(text) {
          watch(record, "received", text);
          given.message(text);
        },
        issue: (issue) => given.issue(issue),
        closed: (reason) => given.closed(reason),
        sendQueueGrew: (waiting) => given.sendQueueGrew?.(waiting),
      }),
    send(text, flush, isStringified) {
      const room = inner.send(text, flush, isStringified);
      // Behind it: what could not be sent was not.
      watch(record, "sent", text);
      return room;
    },
    pause: () => inner.pause(),
    resume: () => inner.resume(),
    close: () => inner.close(),
  };
}

function redactedMessage(text: string, redact: (message: unknown) => unknown): unknown {
  const message = parsed(text);
  // What is no JSON may be anything, a log line with a token in it for example.
  return typeof message === "string" ? redactLine(message) : redact(message);
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
