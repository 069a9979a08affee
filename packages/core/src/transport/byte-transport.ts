import { type FrameDecoder, type FrameSink, type Framing, ndjson } from "@acp/framing";
import { ConnectionClosedError } from "../base/errors.ts";
import type { BytePipe } from "./byte-pipe.ts";
import { createDeferred, type Deferred } from "../base/promises.ts";
import { createFlushScheduler, inNextMacrotask } from "./flush-scheduler.ts";
import { nextNotice, pipeHighWaterMark, sendQueueNotice } from "./send-limits.ts";
import { type TransportOptions, watch } from "./transport-options.ts";
import type { Transport, TransportSink } from "./transport.ts";

/** Options of {@link createByteTransport}. */
export interface ByteTransportOptions extends TransportOptions {
  /** How messages are told apart. Default: `ndjson`, the framing of ACP over stdio (TRAN-04). */
  readonly framing?: Framing | undefined;
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
 * Messages go out in order, joined into as few writes as possible (TRAN-13, TRAN-17). Those sent with `soon` are written at
 * the end of the microtask, or as soon as 16 are queued; those with `later` at the end of the macrotask; all of them as
 * soon as 64 Ki UTF-16 code units are queued. While the pipe asks to wait they queue up here: `send` returns a promise
 * once more than 32 Ki code units do, and the sink's `sendQueueGrew` is called when more than 16 Mi pile up,
 * and for each doubling of that.
 *
 * `send` throws the `MessageTooLargeError` of `@acp/framing` for a message over the limit, a `TypeError` for one that the
 * framing cannot carry, and a {@link ConnectionClosedError} after `close` or once the pipe has failed. An orderly end of
 * the input leaves the other direction open.
 *
 * `flush` hands over what is queued at once, even if the pipe has asked to wait.
 *
 * `close` hands over what is queued and closes the pipe. It does not reject, and settles when the
 * pipe's `close` does. A last message without its delimiter is delivered before `closed`.
 */
export function createByteTransport(pipe: BytePipe, options?: ByteTransportOptions): Transport {
  const { onTraffic, maxMessageBytes } = options ?? {};
  const framing = options?.framing ?? ndjson;
  const limits = { maxMessageBytes };
  const stringified = { maxMessageBytes, isStringified: true };
  const scheduler = createFlushScheduler(writeQueue);
  let sink: TransportSink | undefined;
  let decoder: FrameDecoder | undefined;
  /** What waits to be written, from `head` on. */
  let queue: string[] = [];
  let head = 0;
  /** Its size, in UTF-16 code units. */
  let queued = 0;
  /** The sink is told of more than this. */
  let noticeAbove = sendQueueNotice;
  /** The pipe has asked to wait. */
  let isBlocked = false;
  /** What senders wait for. */
  let room: Deferred | undefined;
  let hasEnded = false;
  let failure: Error | undefined;
  let closing: Promise<void> | undefined;

  function start(given: TransportSink): void {
    sink = given;
    const reader = framing.createDecoder(onTraffic ? watched(given, onTraffic) : given, limits);
    decoder = reader;
    pipe.start({
      data(chunk) {
        if (!hasEnded) reader.push(chunk);
      },
      closed: end,
    });
  }

  function send(text: string, when: "soon" | "later", isStringified?: boolean): void | Promise<void> {
    if (closing !== undefined) throw new ConnectionClosedError("Cannot send, the transport is closed");
    if (failure !== undefined) {
      throw new ConnectionClosedError("Cannot send, the transport has failed", { cause: failure });
    }
    framing.check(text, isStringified ? stringified : limits);
    if (onTraffic) watch(onTraffic, "sent", text);
    queue.push(text);
    queued += text.length;
    if (!isBlocked) {
      const isFull = queued >= batchSize || (when === "soon" && queue.length >= soonBatch);
      if (!isFull) return when === "soon" ? scheduler.soon() : scheduler.later();
      writeQueue();
    }
    return wait();
  }

  function close(): Promise<void> {
    closing ??= closeNow();
    return closing;
  }

  async function closeNow(): Promise<void> {
    scheduler.dispose();
    let reason: Error | undefined;
    try {
      // A slow pipe has to take it all the same: `pipe.close` waits until it is out.
      try {
        while (queue.length > 0) writeBatch();
      } finally {
        // Also of one that is broken: it may be a child process, which ends with it.
        makeRoom();
        await pipe.close();
      }
    } catch (error) {
      reason = asError(error);
    }
    end(reason);
  }

  function flush(): void {
    while (queue.length > 0) {
      // A pipe that has asked to wait may have room again, and could only tell in a later turn.
      isBlocked = false;
      writeQueue();
    }
  }

  function writeQueue(): void {
    try {
      while (queue.length > 0 && !isBlocked) writeBatch();
    } catch (error) {
      // A pipe that throws is broken. Its owner hears it from the sink, but not in the middle of a `send`.
      const reason = asError(error);
      fail(reason);
      queueMicrotask(() => end(reason));
    }
    if (queued <= pipeHighWaterMark) makeRoom();
  }

  function writeBatch(): void {
    const ready = pipe.write(framing.encode(takeBatch(), { isChecked: true }));
    if (ready === undefined) return;
    isBlocked = true;
    // A rejection means no more than that waiting is over: the pipe's `closed` tells why.
    ready.then(unblock, unblock);
  }

  function unblock(): void {
    isBlocked = false;
    writeQueue();
  }

  function takeBatch(): readonly string[] {
    if (queued <= batchSize && head === 0) {
      const all = queue;
      queue = [];
      queued = 0;
      return all;
    }
    let stop = head;
    let size = 0;
    do {
      size += queue[stop]!.length;
      stop++;
    } while (stop < queue.length && size + queue[stop]!.length <= batchSize);
    const batch = queue.slice(head, stop);
    head = stop;
    queued -= size;
    // Only now and then, so that a long queue is emptied in linear time.
    if (head * 2 > queue.length) {
      queue.splice(0, head);
      head = 0;
    }
    return batch;
  }

  function wait(): void | Promise<void> {
    if (queued > noticeAbove) {
      noticeAbove = nextNotice(queued);
      sink?.sendQueueGrew?.(queued);
    }
    if (queued <= pipeHighWaterMark) return;
    room ??= createDeferred();
    return room.promise;
  }

  function makeRoom(): void {
    noticeAbove = sendQueueNotice;
    room?.resolve();
    room = undefined;
  }

  function end(reason: Error | undefined): void {
    if (hasEnded) return;
    hasEnded = true;
    if (reason !== undefined) fail(reason);
    decoder?.end();
    if (reason !== undefined || closing !== undefined) return sink?.closed(reason);
    // A file or a stream ends in the same turn of the event loop as its last bytes: what these ask for would be cancelled
    // before a handler could answer.
    inNextMacrotask(() => sink?.closed());
  }

  /** Nothing more can be written; nobody may wait for it. */
  function fail(reason: Error): void {
    failure = reason;
    queue = [];
    head = 0;
    queued = 0;
    makeRoom();
  }

  return { start, send, pause: () => pipe.pause(), resume: () => pipe.resume(), flush, close };
}

function watched(sink: TransportSink, onTraffic: NonNullable<ByteTransportOptions["onTraffic"]>): FrameSink {
  return {
    message(text) {
      watch(onTraffic, "received", text);
      sink.message(text);
    },
    issue: (issue) => sink.issue(issue),
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error("The pipe failed", { cause: error });
}
