import type { Transport } from "../transport/transport.ts";

/** Characters of queued notifications above which reading pauses. */
const pauseAbove: number = 1024 * 1024;
/** Characters below which it goes on. */
const resumeBelow: number = 512 * 1024;

/**
 * Pauses reading while handlers are behind, so that a fast sender is slowed instead of buffered.
 *
 * Never while a running handler may wait for an answer, which could only be read behind the queue.
 */
export class Reading {
  readonly #transport: Transport;
  #paused = false;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** Decides anew. `mayPause` is asked only when it matters. */
  update(queuedSize: number, mayPause: () => boolean): void {
    if (!this.#paused && queuedSize > pauseAbove && mayPause()) {
      this.#paused = true;
      this.#transport.pause();
    } else if (this.#paused && (queuedSize < resumeBelow || !mayPause())) {
      this.#paused = false;
      this.#transport.resume();
    }
  }
}
