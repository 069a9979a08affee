import { findMessages, textOutside } from "@acp/core/internal";
import { type RecordedMessage, recordTraffic } from "@acp/record";

import type { InspectedMessage, Side } from "../inspected.ts";
import { createInspector } from "../inspector.ts";
import type { Log } from "../log/log.ts";
import type { Observer } from "./relay.ts";

/** How long messages are inspected without a break, in milliseconds: others have to pass meanwhile. */
const slice = 10;

/** Options of {@link createTraffic}. */
export interface TrafficOptions {
  readonly log: Log;
  /** Receives each message as it is recorded. */
  readonly record: (entry: RecordedMessage) => void;
  /** Receives each message after it was inspected. */
  readonly trace?: ((inspected: InspectedMessage, message: unknown) => void) | undefined;
  readonly withSecrets: boolean;
  readonly stable: boolean;
}

/** Writes messages to a log and a recording. */
export interface Traffic extends Omit<Observer, "ended"> {
  /** Logs something that is no message. */
  note(from: Side, text: string): void;
  /** Logs a line of the agent's stderr. */
  stderr(line: string): void;
  /** Writes the rest, and a summary. May be called twice. */
  end(): void;
}

/** Creates a {@link Traffic}. It inspects messages a little after they have passed, so that they do not wait for it. */
export function createTraffic({ log, record, trace, withSecrets, stable }: TrafficOptions): Traffic {
  const inspector = createInspector({ stable });
  /** When the message that is recorded now has passed. */
  let passedAt = "";
  const recordMessage = recordTraffic(
    (entry) => record({ ...entry, time: passedAt }),
    withSecrets ? { redact: false } : {},
  );
  let waiting: (() => void)[] = [];
  let isScheduled = false;
  let hasEnded = false;

  function later(task: () => void): void {
    waiting.push(task);
    if (!isScheduled) setTimeout(() => drain(slice));
    isScheduled = true;
  }
  function drain(milliseconds: number): void {
    isScheduled = false;
    const until = performance.now() + milliseconds;
    let done = 0;
    while (done < waiting.length && performance.now() < until) attempt(waiting[done++]!);
    waiting = waiting.slice(done);
    if (waiting.length === 0) return;
    isScheduled = true;
    setTimeout(() => drain(slice));
  }
  /** Whatever is wrong with a message or with this program, the connection goes on. */
  function attempt(task: () => void): void {
    try {
      task();
    } catch (error) {
      log.note("client", `! This message could not be inspected: ${String(error)}`);
    }
  }
  /** Inspects each message of a line. What stands around them is inspected first, as text that is no message. */
  function inspectLine(from: Side, line: string, time: Date): void {
    const message = parsed(line);
    // JSON never equals its own text.
    if (message !== line) return inspect(from, line, message, time);
    const spans = findMessages(line);
    const outside = textOutside(line, spans);
    if (spans.length === 0 || outside.trim() !== "") inspect(from, outside, outside, time);
    if (spans.length > 1) log.note(from, `! ${spans.length} messages on one line`, time);
    for (const { start, end } of spans) {
      const text = line.slice(start, end);
      inspect(from, text, parsed(text), time);
    }
  }
  function inspect(from: Side, text: string, message: unknown, time: Date): void {
    passedAt = time.toISOString();
    recordMessage(from === "client" ? "sent" : "received", text);
    const inspected = inspector.take(from, message, time);
    log.message(inspected, message);
    trace?.(inspected, message);
  }

  return {
    passed(from, text) {
      const time = new Date();
      later(() => inspectLine(from, text, time));
    },
    lost: (from, reason) => later(() => log.lost(from, reason)),
    note: (from, text) => later(() => log.note(from, text)),
    stderr: (line) => later(() => log.stderr(line)),
    end() {
      if (hasEnded) return;
      hasEnded = true;
      drain(Infinity);
      log.end(inspector.unanswered());
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
