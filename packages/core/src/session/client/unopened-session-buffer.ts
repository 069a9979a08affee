import type { DiagnosticListener } from "../../base/diagnostics.ts";
import { backgroundTimer } from "../../base/timers.ts";
import { discardLane, holdAll, measureHeld, releaseLane } from "../../rpc/held-lanes.ts";
import type { Lanes } from "../../rpc/lanes.ts";
import { inNextMacrotask } from "../../transport/flush-scheduler.ts";

/** How many notifications of one session are kept. */
export const maxKeptCount = 1000;
/** How large they may be together, in characters. */
export const maxKeptSize: number = 8 * 1024 * 1024;
/** How large those of all sessions may be together, in characters, with {@link overheadOfKept} for each. */
export const maxKeptTotal: number = 32 * 1024 * 1024;
/** The rough size of a kept notification without its text. */
export const overheadOfKept = 1024;
/** How long they are kept, in milliseconds; the time restarts while a session is being opened. */
const keepFor = 30_000;

interface Kept {
  /** The size of its notifications, in characters. */
  size: number;
  stopTimer(): void;
}

/**
 * Keeps the notifications of sessions that are not open. An agent may send them before the answer that contains the
 * session's id, and they may arrive before the code that opened the session has continued.
 */
export class UnopenedSessionBuffer {
  readonly #lanes: Lanes;
  readonly #report: DiagnosticListener;
  readonly #isOpening: () => boolean;
  /** By session, the oldest first. */
  readonly #kept = new Map<string, Kept>();
  #total = 0;

  constructor(lanes: Lanes, report: DiagnosticListener, isOpening: () => boolean) {
    this.#lanes = lanes;
    this.#report = report;
    this.#isOpening = isOpening;
  }

  /** One more notification of this session waits for its turn. */
  onQueued(sessionId: string): void {
    // A lane whose handler runs continues soon.
    const held = measureHeld(this.#lanes, sessionId);
    if (held === undefined) return;
    const { count, size } = held;
    const kept = this.#kept.get(sessionId) ?? this.#begin(sessionId);
    const now = size + count * overheadOfKept;
    this.#total += now - kept.size;
    kept.size = now;
    if (count > maxKeptCount || size > maxKeptSize) return this.#discard(sessionId, "there are too many of them");
    for (const oldest of this.#kept.keys()) {
      if (this.#total <= maxKeptTotal) break;
      this.#discard(oldest, "there are too many of other sessions");
    }
  }

  /** The session opens. Delivers the kept messages after the opener continued. */
  releaseSoon(sessionId: string, onOpenerDone?: () => void): void {
    this.#forget(sessionId);
    holdAll(this.#lanes, sessionId);
    inNextMacrotask(() => {
      onOpenerDone?.();
      // Also what arrived since, if the session has ended meanwhile.
      this.release(sessionId);
    });
  }

  /** Delivers the kept messages now. */
  release(sessionId: string): void {
    this.#forget(sessionId);
    releaseLane(this.#lanes, sessionId);
  }

  /** The sessions of which something is kept. */
  ids(): readonly string[] {
    return [...this.#kept.keys()];
  }

  end(): void {
    for (const sessionId of this.#kept.keys()) this.#discard(sessionId, "the connection ended");
  }

  #begin(sessionId: string): Kept {
    const kept: Kept = { size: 0, stopTimer: () => {} };
    this.#kept.set(sessionId, kept);
    this.#startTimer(sessionId, kept);
    return kept;
  }

  #startTimer(sessionId: string, kept: Kept): void {
    kept.stopTimer = backgroundTimer(() => {
      if (this.#isOpening()) this.#startTimer(sessionId, kept);
      else this.#discard(sessionId, `nobody opened it within ${keepFor} ms`);
    }, keepFor);
  }

  #discard(sessionId: string, why: string): void {
    this.#forget(sessionId);
    const received = discardLane(this.#lanes, sessionId).map(({ params }) => params);
    const message = `${received.length} notifications of a session that nobody opened were discarded: ${why}`;
    this.#report({ type: "unclaimed-session", level: "warning", message, sessionId, received });
  }

  #forget(sessionId: string): void {
    const kept = this.#kept.get(sessionId);
    kept?.stopTimer();
    this.#total -= kept?.size ?? 0;
    this.#kept.delete(sessionId);
  }
}
