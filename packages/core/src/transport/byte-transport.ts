import { type FrameDecoder, type FrameSink, type Framing, ndjson } from "@acp/framing";
import { ConnectionClosedError } from "../base/errors.ts";
import type { BytePipe } from "./byte-pipe.ts";
import { createFlushScheduler, inNextMacrotask } from "./flush-scheduler.ts";
import { pipeHighWaterMark, SendRoom } from "./send-limits.ts";
import { type TransportOptions, watch } from "./transport-options.ts";
import type { Transport, TransportSink } from "./transport.ts";
import { requireStart } from "./require-start.ts";

/** Options of {@link createByteTransport}. */
export interface ByteTransportOptions extends TransportOptions {
  /** How messages are separated. Default: `ndjson`, the framing of ACP over stdio (TRAN-04). */
  readonly framing?: Framing | undefined;
}

/** The size of one write, in UTF-16 code units: a pipe takes no more at a time, and larger ones fall out of the caches. */
const batchSize = 64 * 1024;

/**
 * So many requests and answers are written without waiting for the end of the microtask. With many in flight all of them come
 * about in one microtask, and each side would idle until the other has worked through them all.
 */
const soonBatch = 16;

/**
 * Creates a transport over a byte pipe.
 *
 * Messages are sent in order, in as few writes as possible (TRAN-13, TRAN-17). Messages sent with `soon` are written at
 * the end of the microtask, or when 16 are queued; messages sent with `later`, at the end of the macrotask; all of
 * them, when 64 Ki UTF-16 code units are queued. While the pipe is not ready, messages are queued: above 32 Ki code
 * units, `send` returns a promise; above 16 Mi, and at each doubling, it calls the sink's `sendQueueGrew`.
 *
 * `send` throws the `MessageTooLargeError` of `@acp/framing` for a message over the limit, a `TypeError` for a message
 * that the framing cannot carry, and a {@link ConnectionClosedError} after `close` or after the pipe has failed. An
 * orderly end of the input leaves the other direction open.
 *
 * `flush` writes the queue at once, even if the pipe is not ready. Its promise resolves when the pipe's `flush` does.
 *
 * `close` writes the queue and closes the pipe. It does not reject, and settles when the pipe's `close` does. A last
 * message without a delimiter is delivered before `closed`.
 *
 * @throws {UsageError} if `pipe` is no pipe.
 */
export function createByteTransport(pipe: BytePipe, options?: ByteTransportOptions): Transport {
  requireStart(pipe, "createByteTransport takes a pipe");
  const { onTraffic, maxMessageBytes } = options ?? {};
  const framing = options?.framing ?? ndjson;
  const limits = { maxMessageBytes };
  const stringified = { maxMessageBytes, isStringified: true };
  const scheduler = createFlushScheduler(writeQueue);
  const room = new SendRoom(pipeHighWaterMark);
  let sink: TransportSink | undefined;
  let decoder: FrameDecoder | undefined;
  /** Messages to write, from `head` on. */
  let queue: string[] = [];
  let head = 0;
  /** Their size, in UTF-16 code units. */
  let queued = 0;
  /** The pipe has asked to wait. */
  let isBlocked = false;
  /** The promise of the last write that asked to wait. */
  let ready: Promise<void> | undefined;
  let hasEnded = false;
  let failure: Error | undefined;
  let closing: Promise<void> | undefined;

  function start(target: TransportSink): void {
    sink = target;
    const reader = framing.createDecoder(onTraffic ? watchSink(target, onTraffic) : target, limits);
    decoder = reader;
    pipe.start({
      data(chunk) {
        if (!hasEnded) reader.push(chunk);
      },
      closed: end,
    });
  }

  function send(text: string, when: "soon" | "later", isStringified?: boolean): void | Promise<void> {
    if (closing !== undefined || failure !== undefined) {
      const [state, cause] = closing ? ["is closed"] : ["has failed", { cause: failure }];
      throw new ConnectionClosedError(`Cannot send, the transport ${state}`, cause);
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
    return room.wait(queued, sink);
  }

  function close(): Promise<void> {
    closing ??= closeNow();
    return closing;
  }

  async function closeNow(): Promise<void> {
    scheduler.dispose();
    let reason: Error | undefined;
    try {
      // Even a slow pipe gets everything: `pipe.close` waits until it is written.
      try {
        while (queue.length > 0) writeBatch();
      } finally {
        // Even a broken pipe is closed: that may end a child process.
        room.update(0);
        await pipe.close();
      }
    } catch (error) {
      reason = toError(error);
    }
    end(reason);
  }

  function flush(): void | Promise<void> {
    while (queue.length > 0) {
      // A pipe that has asked to wait may have room again, but could say so only in a later turn.
      isBlocked = false;
      writeQueue();
    }
    return pipe.flush?.() ?? ready;
  }

  function writeQueue(): void {
    try {
      while (queue.length > 0 && !isBlocked) writeBatch();
    } catch (error) {
      // A pipe that throws is broken. Its owner gets that from the sink, but not in the middle of a `send`.
      const reason = toError(error);
      fail(reason);
      queueMicrotask(() => end(reason));
    }
    room.update(queued);
  }

  function writeBatch(): void {
    const written = pipe.write(framing.encode(takeBatch(), { isChecked: true }));
    if (written === undefined) return;
    isBlocked = true;
    // A rejection only ends the wait: the pipe's `closed` gives the reason.
    ready = written.then(unblock, unblock);
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

  function end(reason: Error | undefined): void {
    if (hasEnded) return;
    hasEnded = true;
    if (reason !== undefined) fail(reason);
    decoder?.end();
    if (reason !== undefined || closing !== undefined) return sink?.closed(reason);
    // A file or a stream ends in the same turn of the event loop as its last bytes. Ending at once would cancel the last requests
    // before a handler could answer.
    inNextMacrotask(() => sink?.closed());
  }

  /** Nothing more can be written, so nobody may wait for it. */
  function fail(reason: Error): void {
    failure = reason;
    queue = [];
    head = 0;
    queued = 0;
    room.update(0);
  }

  return { start, send, pause: () => pipe.pause(), resume: () => pipe.resume(), flush, close };
}

function watchSink(sink: TransportSink, onTraffic: NonNullable<ByteTransportOptions["onTraffic"]>): FrameSink {
  return {
    message(text) {
      watch(onTraffic, "received", text);
      sink.message(text);
    },
    issue: (issue) => sink.issue(issue),
  };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error("The pipe failed", { cause: error });
}
