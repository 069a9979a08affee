import { type Clock, sleep } from "../clock.ts";
import type { Journal, SessionDescription } from "../journal/journal.ts";

/** How long to wait before a failed write is repeated, in milliseconds. */
const retryTime = 2000;

/** Writes what lists show of a session: one change after another, so that the last one stays. */
export class DescriptionWriter {
  readonly #journal: Pick<Journal, "change">;
  readonly #session: string;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #waiting: Partial<SessionDescription>[] = [];
  #isWriting = false;

  constructor(journal: Pick<Journal, "change">, session: string, clock: Clock, signal: AbortSignal) {
    this.#journal = journal;
    this.#session = session;
    this.#clock = clock;
    this.#signal = signal;
  }

  change(change: Partial<SessionDescription>): void {
    this.#waiting.push(change);
    if (!this.#isWriting) void this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0 && !this.#signal.aborted) {
      const change: Partial<SessionDescription> = Object.assign({}, ...this.#waiting.splice(0));
      try {
        await this.#journal.change(this.#session, change);
      } catch {
        this.#waiting.unshift(change);
        await sleep(this.#clock, retryTime, this.#signal);
      }
    }
    this.#isWriting = false;
  }
}
