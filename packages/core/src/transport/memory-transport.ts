import { ConnectionClosedError } from "../base/errors.ts";
import { createFlushScheduler, type FlushScheduler, microtask } from "./flush-scheduler.ts";
import { nextNotice, sendHighWaterMark, sendQueueNotice } from "./send-limits.ts";
import { createDeferred, type Deferred } from "../base/promises.ts";
import type { Transport, TransportSink } from "./transport.ts";

/**
 * Two transports joined back to back: what one sends, the other delivers. For tests, and for an
 * agent that lives in its client's process.
 *
 * Delivery is asynchronous, in order and in batches, never inside `send`. What is sent before `start` waits for it. There
 * is no size limit. Once more than 256 Ki UTF-16 code units wait for the other side, `send` returns a promise, which
 * settles when that side has caught up or is closed: so a side that pauses stops a sender that waits.
 *
 * `close()` of one side ends the other one as soon as that has taken what was sent, and resolves then. If the other side
 * is paused or was never started, it resolves at once. What was under way to the closed side is dropped. After the end,
 * `send` of either side throws a {@link ConnectionClosedError}.
 *
 * Connect both: while nobody is on the other side, calls wait. That keeps no process alive, so a program that waits for
 * nothing else ends without a word, on Node.js with exit code 13 if it awaits at the top level.
 */
export function createMemoryTransportPair(): [Transport, Transport] {
  const left = new MemoryTransport();
  const right = new MemoryTransport();
  left.peer = right;
  right.peer = left;
  return [left, right];
}

class MemoryTransport implements Transport {
  peer: MemoryTransport = this;
  readonly #delivery: FlushScheduler = createFlushScheduler(() => this.#deliver());
  #sink: TransportSink | undefined;
  /** What the peer sent: the queue belongs to the side that receives. Delivered up to `#head`. */
  #incoming: string[] = [];
  #head = 0;
  #waiting = 0;
  /** The peer's sink is told of more than this. */
  #noticeAbove = sendQueueNotice;
  #paused = false;
  #peerClosed = false;
  #ended = false;
  #closing: Promise<void> | undefined;
  /** What the peer's senders wait for. */
  #room: Deferred | undefined;
  /** What the peer's `close` waits for. */
  #caughtUp: Deferred | undefined;

  start(sink: TransportSink): void {
    this.#sink = sink;
    if (this.#incoming.length > 0 || this.#peerClosed) this.#delivery.soon();
  }

  send(text: string, flush: "soon" | "later"): void | Promise<void> {
    if (this.#closing !== undefined || this.#ended) {
      throw new ConnectionClosedError("Cannot send, the transport is closed");
    }
    const room = this.peer.#take(text, flush);
    if (this.peer.#waiting > this.peer.#noticeAbove) {
      this.peer.#noticeAbove = nextNotice(this.peer.#waiting);
      this.#sink?.sendQueueGrew?.(this.peer.#waiting);
    }
    return room;
  }

  pause(): void {
    this.#paused = true;
    this.#caughtUp?.resolve();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#delivery.soon();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const peerCaughtUp = this.peer.#endAfterDelivery();
    this.#end();
    await peerCaughtUp;
  }

  #take(text: string, flush: "soon" | "later"): void | Promise<void> {
    if (this.#ended) return;
    this.#incoming.push(text);
    this.#waiting += text.length;
    if (flush === "soon") this.#delivery.soon();
    else this.#delivery.later();
    if (this.#waiting <= sendHighWaterMark) return;
    this.#room ??= createDeferred();
    return this.#room.promise;
  }

  #endAfterDelivery(): Promise<void> | undefined {
    this.#peerClosed = true;
    if (this.#ended) return undefined;
    this.#delivery.soon();
    if (this.#sink === undefined || this.#paused) return undefined;
    this.#caughtUp ??= createDeferred();
    return this.#caughtUp.promise;
  }

  /** Delivers what waited when it began; what comes in meanwhile has asked for a delivery of its own. */
  #deliver(): void {
    const sink = this.#sink;
    if (sink === undefined || this.#ended) return;
    try {
      this.#deliverUpTo(this.#incoming.length, sink);
    } finally {
      // Also behind a sink that throws: the rest must arrive, and those who wait must not hang.
      this.#afterDelivery();
    }
  }

  #afterDelivery(): void {
    if (this.#waiting <= sendHighWaterMark) this.#settleRoom();
    if (this.#incoming.length > this.#head) {
      if (!this.#paused) this.#delivery.soon();
    } else if (this.#peerClosed) this.#end();
  }

  #deliverUpTo(end: number, sink: TransportSink): void {
    while (this.#head < end && !this.#paused) {
      const text = this.#incoming[this.#head] ?? "";
      this.#head++;
      this.#waiting -= text.length;
      sink.message(text);
      if (this.#ended) return;
    }
    // Dropping the delivered ones only now and then keeps pause and resume in turns linear.
    if (this.#head * 2 < this.#incoming.length) return;
    this.#incoming.splice(0, this.#head);
    this.#head = 0;
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#incoming = [];
    this.#head = 0;
    this.#waiting = 0;
    this.#delivery.dispose();
    this.#settleRoom();
    microtask(() => {
      this.#sink?.closed();
      this.#caughtUp?.resolve();
    });
  }

  #settleRoom(): void {
    this.#noticeAbove = sendQueueNotice;
    this.#room?.resolve();
    this.#room = undefined;
  }
}
