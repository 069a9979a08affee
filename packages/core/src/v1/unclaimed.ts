import type { Lanes } from "../connection/lanes.ts";
import type { DiagnosticListener } from "../diagnostics.ts";
import { backgroundTimer } from "../timers.ts";

/** How many notifications of an unclaimed session are kept. */
const maxCount = 1000;
/** How large they may be together, in characters. */
const maxSize = 8 * 1024 * 1024;
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
  readonly #timers = new Map<string, () => void>();

  constructor(lanes: Lanes, report: DiagnosticListener, isOpening: () => boolean) {
    this.#lanes = lanes;
    this.#report = report;
    this.#isOpening = isOpening;
  }

  /** Something more of this session is being kept. */
  kept(sessionId: string): void {
    const { count, size } = this.#lanes.kept(sessionId);
    if (count > maxCount || size > maxSize) return this.#drop(sessionId, "there are too many of them");
    if (!this.#timers.has(sessionId)) this.#wait(sessionId);
  }

  /** The session has an owner. What was kept is delivered after the owner has gone on. */
  claim(sessionId: string, goOn: () => void): void {
    this.#timers.get(sessionId)?.();
    this.#timers.delete(sessionId);
    this.#lanes.claim(sessionId);
    setTimeout(() => {
      goOn();
      this.#lanes.release(sessionId);
    }, 0);
  }

  end(): void {
    for (const [sessionId, stop] of this.#timers) {
      stop();
      this.#drop(sessionId, "the connection ended");
    }
  }

  #wait(sessionId: string): void {
    const stop = backgroundTimer(() => {
      if (this.#isOpening()) this.#wait(sessionId);
      else this.#drop(sessionId, `nobody opened it within ${keepFor} ms`);
    }, keepFor);
    this.#timers.set(sessionId, stop);
  }

  #drop(sessionId: string, why: string): void {
    this.#timers.get(sessionId)?.();
    this.#timers.delete(sessionId);
    const received = this.#lanes.discard(sessionId).map(({ params }) => params);
    const message = `${received.length} notifications of a session without owner were dropped: ${why}`;
    this.#report({ type: "unclaimed-session", level: "warning", message, sessionId, received });
  }
}
