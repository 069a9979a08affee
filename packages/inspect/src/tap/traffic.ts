import { type RecordedMessage, recordTraffic } from "@acp/core/record";

import { membersOf, type Side } from "../inspected.ts";
import { createInspector } from "../inspector.ts";
import type { Log } from "../log/log.ts";
import type { Observer } from "./relay.ts";

/** Options of {@link createTraffic}. */
export interface TrafficOptions {
  readonly log: Log;
  /** Takes each message as it is recorded. */
  readonly record: (entry: RecordedMessage) => void;
  /** Waits until the log and the recording are written. Never rejects. */
  readonly written: () => Promise<unknown>;
  readonly withSecrets: boolean;
  readonly stable: boolean;
}

/** Writes what passes to a log and a recording. */
export interface Traffic extends Omit<Observer, "ended"> {
  /** Tells something that is no message. */
  note(from: Side, text: string): void;
  /** Writes what is left, and a summary. Resolves when all of it is written. */
  end(): Promise<void>;
}

/** Makes a {@link Traffic}. It looks at messages a little after they have passed, so that they do not wait for that. */
export function createTraffic({ log, record, written, withSecrets, stable }: TrafficOptions): Traffic {
  const inspector = createInspector({ stable });
  let waiting: (() => void)[] = [];
  let hasEnded = false;

  function later(task: () => void): void {
    waiting.push(task);
    if (waiting.length === 1) setTimeout(drain);
  }
  function drain(): void {
    const tasks = waiting;
    waiting = [];
    for (const task of tasks) task();
  }
  function inspect(from: Side, text: string, time: Date): void {
    const take = recordTraffic(
      (entry) => {
        record({ ...entry, time: time.toISOString() });
        log.message(inspector.take(from, parsed(text), time), bodyOf(entry.message));
      },
      withSecrets ? { redact: false } : {},
    );
    take(from === "client" ? "sent" : "received", text);
  }

  return {
    passed(from, text) {
      const time = new Date();
      later(() => inspect(from, text, time));
    },
    lost: (from, reason) => later(() => log.note(from, `! ${reason}`)),
    note: (from, text) => later(() => log.note(from, text)),
    async end() {
      if (hasEnded) return;
      hasEnded = true;
      drain();
      log.end(inspector.unanswered());
      await written();
    },
  };
}

/** What of a message is shown, as it was recorded. */
export function bodyOf(message: unknown): unknown {
  if (typeof message === "string") return message;
  const { params, result, error } = membersOf(message);
  return params ?? error ?? result;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
