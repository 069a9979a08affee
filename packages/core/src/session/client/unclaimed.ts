import { claimLane, discardLane, isHeld, measureHeld, releaseLane } from "../../rpc/held-lanes.ts";
import type { Lanes } from "../../rpc/lanes.ts";
import type { DiagnosticListener } from "../../base/diagnostics.ts";
import { backgroundTimer } from "../../base/timers.ts";
import { inNextMacrotask } from "../../transport/flush-scheduler.ts";

/** How many notifications of an unclaimed session are kept. */
const maxCount = 1000;
/** How large they may be together, in characters. */
const maxSize = 8 * 1024 * 1024;
/** How large those of all sessions may be together, in characters; each counts for {@link overhead} more. */
const maxTotal = 32 * 1024 * 1024;
/** What keeping a notification takes beside its text, roughly. */
const overhead = 1024;
/** How long they are kept, in milliseconds, counted anew while a session is being opened. */
const keepFor = 30_000;

/**
 * Keeps the notifications of sessions that nobody has claimed yet: an agent may send them before the
 * answer that tells the session's id, and they may arrive before whoever opened it has gone on.
 */
export class Unclaimed {
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

  /** Something more of this session is being kept. */
  onHeld(sessionId: string): void {
    // Nothing is, where a handler runs and what waits for it is handled soon.
    if (!isHeld(this.#lanes, sessionId)) return;
    const { count, size } = measureHeld(this.#lanes, sessionId);
    const kept = this.#kept.get(sessionId) ?? this.#begin(sessionId);
    const now = size + count * overhead;
    this.#total += now - kept.size;
    kept.size = now;
    if (count > maxCount || size > maxSize) return this.#drop(sessionId, "there are too many of them");
    for (const oldest of this.#kept.keys()) {
      if (this.#total <= maxTotal) break;
      this.#drop(oldest, "there are too many of other sessions");
    }
  }

  /** The session has an owner. What was kept is delivered after the owner has gone on. */
  claim(sessionId: string, goOn: () => void): void {
    this.#forget(sessionId);
    claimLane(this.#lanes, sessionId);
    inNextMacrotask(() => {
      goOn();
      // Also what has come since, if the session has ended meanwhile.
      this.#forget(sessionId);
      releaseLane(this.#lanes, sessionId);
    });
  }

  end(): void {
    for (const sessionId of this.#kept.keys()) this.#drop(sessionId, "the connection ended");
  }

  #begin(sessionId: string): Kept {
    const kept: Kept = { size: 0, stop: () => {} };
    this.#kept.set(sessionId, kept);
    this.#wait(sessionId, kept);
    return kept;
  }

  #wait(sessionId: string, kept: Kept): void {
    kept.stop = backgroundTimer(() => {
      if (this.#isOpening()) this.#wait(sessionId, kept);
      else this.#drop(sessionId, `nobody opened it within ${keepFor} ms`);
    }, keepFor);
  }

  #drop(sessionId: string, why: string): void {
    this.#forget(sessionId);
    const received = discardLane(this.#lanes, sessionId).map(({ params }) => params);
    const message = `${received.length} notifications of a session without owner were dropped: ${why}`;
    this.#report({ type: "unclaimed-session", level: "warning", message, sessionId, received });
  }

  #forget(sessionId: string): void {
    const kept = this.#kept.get(sessionId);
    kept?.stop();
    this.#total -= kept?.size ?? 0;
    this.#kept.delete(sessionId);
  }
}

interface Kept {
  /** What its notifications count for, in characters. */
  size: number;
  /** Stops the timer that ends the keeping. */
  stop(): void;
}
