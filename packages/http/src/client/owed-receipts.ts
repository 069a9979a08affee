import { backgroundTimer } from "@acp/core/internal";

import { formatReceipts } from "../event-id.ts";

/** How much may come before it is acknowledged at once, in UTF-16 code units. The server keeps several times as much. */
const mostUnits = 256 * 1024;
/** The longest time before an acknowledgment, if no request carries it sooner, in milliseconds. */
const longestWait = 10_000;

/** Receipts that the client owes the server. The next request carries them, or else a request of their own. */
export class OwedReceipts {
  readonly #send: (receipts: string) => void;
  #owed = new Map<number, number | "closed">();
  #units = 0;
  #stop: (() => void) | undefined;

  /** @param send sends receipts by a request of their own. */
  constructor(send: (receipts: string) => void) {
    this.#send = send;
  }

  /** Notes an event of a stream. */
  received(stream: number, event: number, units: number): void {
    this.#owed.set(stream, event);
    this.#units += units;
    if (this.#units > mostUnits) this.#sendNow();
    else this.#wait();
  }

  /** Notes that a stream is not read any more. */
  closed(stream: number): void {
    this.#owed.set(stream, "closed");
    this.#sendNow();
  }

  /** Takes the owed receipts for a header; `undefined` for none. */
  take(): string | undefined {
    if (this.#owed.size === 0) return undefined;
    const receipts = formatReceipts(this.#owed);
    this.#owed.clear();
    this.stop();
    return receipts;
  }

  stop(): void {
    this.#units = 0;
    this.#stop?.();
    this.#stop = undefined;
  }

  #wait(): void {
    this.#stop ??= backgroundTimer(() => this.#sendNow(), longestWait);
  }

  #sendNow(): void {
    const receipts = this.take();
    if (receipts !== undefined) this.#send(receipts);
  }
}
