import { ConnectionClosedError } from "../base/errors.ts";
import { createDeferred, type Deferred } from "../base/promises.ts";
import { createFlushScheduler, type FlushScheduler, microtask } from "./flush-scheduler.ts";
import { sendHighWaterMark, SendRoom } from "./send-limits.ts";
import type { Transport, TransportSink } from "./transport.ts";

/**
 * Creates two connected transports: each delivers what the other sends. Use them for tests, and for an agent in its
 * client's process.
 *
 * Delivery is asynchronous, in order and in batches, never inside `send`. Messages sent before `start` wait for it.
 * There is no size limit. While more than 256 Ki UTF-16 code units are queued for the other side, `send` returns a
 * promise, which settles when that side has caught up or is closed. A side that pauses therefore stops a sender that
 * awaits `send`.
 *
 * `close()` ends the other side after it has received everything, and then resolves. If that side is paused or was
 * never started, it resolves at once. Messages in flight to the closed side are discarded. After the end, `send` of
 * either side throws a {@link ConnectionClosedError}.
 *
 * Connect both sides: without the other side, calls wait. Waiting does not keep the process alive, so a program that
 * waits for nothing else ends silently; on Node.js with exit code 13, if it awaits at the top level.
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
  /** Messages of the peer: the queue belongs to the side that receives. Delivered up to `#head`. */
  #incoming: string[] = [];
  #head = 0;
  /** Characters that are not delivered. */
  #waiting = 0;
  #paused = false;
  #peerClosed = false;
  #ended = false;
  #closing: Promise<void> | undefined;
  /** What the peer's senders wait for. */
  readonly #room: SendRoom = new SendRoom(sendHighWaterMark);
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
    return this.peer.#receive(text, flush);
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

  #receive(text: string, flush: "soon" | "later"): void | Promise<void> {
    if (this.#ended) return;
    this.#incoming.push(text);
    this.#waiting += text.length;
    if (flush === "soon") this.#delivery.soon();
    else this.#delivery.later();
    return this.#room.wait(this.#waiting, this.peer.#sink);
  }

  #endAfterDelivery(): Promise<void> | undefined {
    this.#peerClosed = true;
    if (this.#ended) return undefined;
    this.#delivery.soon();
    if (this.#sink === undefined || this.#paused) return undefined;
    this.#caughtUp ??= createDeferred();
    return this.#caughtUp.promise;
  }

  /** Delivers the messages that are queued now; later ones have asked for a delivery of their own. */
  #deliver(): void {
    const sink = this.#sink;
    if (sink === undefined || this.#ended) return;
    try {
      this.#deliverUpTo(this.#incoming.length, sink);
    } finally {
      // Even if the sink throws, the rest must be delivered and waiting senders must not hang.
      this.#room.update(this.#waiting);
      if (this.#incoming.length === this.#head) {
        if (this.#peerClosed) this.#end();
      } else if (!this.#paused) this.#delivery.soon();
    }
  }

  #deliverUpTo(end: number, sink: TransportSink): void {
    while (this.#head < end && !this.#paused) {
      const text = this.#incoming[this.#head] ?? "";
      this.#head++;
      this.#waiting -= text.length;
      sink.message(text);
      if (this.#ended) return;
    }
    // Only now and then, so that pausing and resuming in turns stays linear.
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
    this.#room.update(0);
    microtask(() => {
      this.#sink?.closed();
      this.#caughtUp?.resolve();
    });
  }
}
