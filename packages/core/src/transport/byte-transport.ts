import { type FrameDecoder, type Framing, type FramingOptions, ndjson } from "@acp/framing";
import { ConnectionClosedError } from "../errors.ts";
import type { BytePipe } from "./byte-pipe.ts";
import { createDeferred, type Deferred } from "./deferred.ts";
import { createFlushScheduler, type FlushScheduler } from "./flush-scheduler.ts";
import { sendHighWaterMark, sendQueueNotice } from "./send-limits.ts";
import { type TransportOptions, watch } from "./transport-options.ts";
import type { Transport, TransportSink } from "./transport.ts";

/** What {@link createByteTransport} takes. */
export interface ByteTransportOptions extends TransportOptions {
  /** How messages are told apart. Default: `ndjson`, the framing of ACP over stdio (TRAN-04). */
  readonly framing?: Framing;
}

/**
 * What goes out in one piece, in UTF-16 code units: so much is written without waiting for anything,
 * and more is cut up, since a pipe takes no more at a time and larger pieces fall out of the caches
 * (measured over a child's stdio: pieces of 1 Mi cost a fifth).
 */
const batchSize = 64 * 1024;

/**
 * So many requests and answers do not wait for the end of the microtask: with many in flight all of them come about in
 * one, and the peer would idle until the last is there, as this side then would until the peer has worked through
 * them all (64 in flight took 2.0 times as long as the raw loop, and 1.2 times like this).
 */
const soonBatch = 16;

/**
 * A transport over a pipe of bytes.
 *
 * Messages go out in order, joined to as few writes as possible: those sent with `soon` at the end
 * of the microtask or at once when they make up a queue of 16, those with `later` at the end of the macrotask, all at
 * once when 64 Ki UTF-16 code units are queued (TRAN-13, TRAN-17). While the pipe asks to wait they queue up here; `send`
 * returns a promise once more than 256 Ki code units do, and the sink's `sendQueueGrew` is called
 * when more than 16 Mi pile up.
 *
 * `send` throws a `MessageTooLargeError` for a message over the limit, a `TypeError` for one the
 * framing cannot carry, and a {@link ConnectionClosedError} after `close` or once the pipe has
 * failed. An orderly end of the input leaves the other direction open.
 *
 * `close` hands over what is queued and closes the pipe. It does not reject, and settles when the
 * pipe's `close` does. A last message without its delimiter is delivered before `closed`.
 */
export function createByteTransport(pipe: BytePipe, options: ByteTransportOptions = {}): Transport {
  return new ByteTransport(pipe, options);
}

class ByteTransport implements Transport {
  readonly #pipe: BytePipe;
  readonly #framing: Framing;
  readonly #limits: FramingOptions;
  readonly #onTraffic: ByteTransportOptions["onTraffic"];
  readonly #scheduler: FlushScheduler = createFlushScheduler(() => this.#flush());
  #sink: TransportSink | undefined;
  #decoder: FrameDecoder | undefined;
  /** What waits to be written, from `#head` on. */
  #queue: string[] = [];
  #head = 0;
  /** Its size, in UTF-16 code units. */
  #queued = 0;
  #noticed = false;
  /** The pipe has asked to wait. */
  #isBlocked = false;
  /** What senders wait for. */
  #room: Deferred | undefined;
  #hasEnded = false;
  #failure: Error | undefined;
  #closing: Promise<void> | undefined;

  constructor(pipe: BytePipe, options: ByteTransportOptions) {
    this.#pipe = pipe;
    this.#framing = options.framing ?? ndjson;
    this.#limits = { maxMessageBytes: options.maxMessageBytes };
    this.#onTraffic = options.onTraffic;
  }

  start(sink: TransportSink): void {
    this.#sink = sink;
    const decoder = this.#framing.createDecoder(this.#watched(sink), this.#limits);
    this.#decoder = decoder;
    this.#pipe.start({
      data: (chunk) => {
        if (!this.#hasEnded) decoder.push(chunk);
      },
      closed: (reason) => this.#end(reason),
    });
  }

  send(text: string, flush: "soon" | "later"): void | Promise<void> {
    this.#assertOpen();
    this.#framing.check(text, this.#limits);
    if (this.#onTraffic !== undefined) watch(this.#onTraffic, "sent", text);
    this.#queue.push(text);
    this.#queued += text.length;
    if (this.#isBlocked) return this.#wait();
    if (this.#queued >= batchSize || (flush === "soon" && this.#queue.length >= soonBatch)) this.#flush();
    else if (flush === "soon") this.#scheduler.soon();
    else this.#scheduler.later();
  }

  pause(): void {
    this.#pipe.pause();
  }

  resume(): void {
    this.#pipe.resume();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#scheduler.dispose();
    let reason: Error | undefined;
    try {
      // A slow pipe has to take it all the same: `pipe.close` waits until it is out.
      while (this.#queue.length > 0) this.#writeBatch();
      this.#makeRoom();
      await this.#pipe.close();
    } catch (error) {
      reason = asError(error);
    }
    this.#end(reason);
  }

  #flush(): void {
    try {
      while (this.#queue.length > 0 && !this.#isBlocked) {
        this.#writeBatch();
      }
    } catch (error) {
      // A pipe that throws is broken. Its owner hears it from the sink, but not in the middle of a `send`.
      const reason = asError(error);
      this.#fail(reason);
      queueMicrotask(() => this.#end(reason));
    }
    if (this.#queued <= sendHighWaterMark) this.#makeRoom();
  }

  #writeBatch(): void {
    const batch = this.#takeBatch();
    const ready = this.#pipe.write(this.#framing.encode(batch, { isChecked: true }));
    if (ready !== undefined) this.#block(ready);
  }

  #takeBatch(): readonly string[] {
    if (this.#queued <= batchSize && this.#head === 0) {
      const all = this.#queue;
      this.#queue = [];
      this.#queued = 0;
      return all;
    }
    let end = this.#head;
    let size = 0;
    do {
      size += this.#queue[end]?.length ?? 0;
      end++;
    } while (end < this.#queue.length && size + (this.#queue[end]?.length ?? 0) <= batchSize);
    const batch = this.#queue.slice(this.#head, end);
    this.#head = end;
    this.#queued -= size;
    // Only now and then, so that a long queue is emptied in linear time.
    if (this.#head * 2 > this.#queue.length) {
      this.#queue.splice(0, this.#head);
      this.#head = 0;
    }
    return batch;
  }

  #block(ready: Promise<void>): void {
    this.#isBlocked = true;
    const unblock = (): void => {
      this.#isBlocked = false;
      this.#flush();
    };
    // A rejection means no more than that waiting is over: the pipe's `closed` tells why.
    ready.then(unblock, unblock);
  }

  #wait(): void | Promise<void> {
    if (this.#queued > sendQueueNotice && !this.#noticed) {
      this.#noticed = true;
      this.#sink?.sendQueueGrew?.(this.#queued);
    }
    if (this.#queued <= sendHighWaterMark) return;
    this.#room ??= createDeferred();
    return this.#room.promise;
  }

  #makeRoom(): void {
    this.#noticed = false;
    this.#room?.resolve();
    this.#room = undefined;
  }

  #end(reason: Error | undefined): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (reason !== undefined) this.#fail(reason);
    this.#decoder?.end();
    this.#sink?.closed(reason);
  }

  /** Nothing more can be written; nobody may wait for it. */
  #fail(reason: Error): void {
    this.#failure = reason;
    this.#queue = [];
    this.#head = 0;
    this.#queued = 0;
    this.#makeRoom();
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw new ConnectionClosedError("Cannot send, the transport is closed");
    if (this.#failure !== undefined) {
      throw new ConnectionClosedError("Cannot send, the transport has failed", { cause: this.#failure });
    }
  }

  #watched(sink: TransportSink): TransportSink {
    const onTraffic = this.#onTraffic;
    if (onTraffic === undefined) return sink;
    return {
      message(text) {
        watch(onTraffic, "received", text);
        sink.message(text);
      },
      issue: (issue) => sink.issue(issue),
      closed: (reason) => sink.closed(reason),
    };
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error("The pipe failed", { cause: error });
}
