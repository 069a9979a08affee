import type { BytePipe, BytePipeSink } from "./byte-pipe.ts";
import { type ByteTransportOptions, createByteTransport } from "./byte-transport.ts";
import { createDeferred, type Deferred } from "../base/promises.ts";
import { requireObject } from "../base/require-argument.ts";
import { readMember } from "../base/values.ts";
import type { Transport } from "./transport.ts";

/** How long reading goes on after writing has failed, in milliseconds: a peer that ends may have sent last messages. */
const lastMessagesMilliseconds = 1000;

/** The members that the pipe uses of a `ReadableStream<Uint8Array>`. The runtimes' types differ in other members. */
export interface ReadableBytes {
  readonly locked: boolean;
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel(reason?: unknown): Promise<void>;
    releaseLock(): void;
  };
}

/** Both directions of a channel, as Web Streams: Deno's stdio, a socket, two fetch bodies. */
export interface WebStreams {
  /** The bytes from the peer. Locked while the pipe is open. */
  readonly readable: ReadableBytes;
  /** The bytes for the peer. Locked while the pipe is open. */
  readonly writable: WritableStream<Uint8Array>;
}

/**
 * Creates a pipe over two Web Streams, and locks both.
 *
 * `write` returns a promise while the queue of the writable is full, and a paused pipe stops reading. `close` waits
 * until everything is written, then closes the writable and cancels the readable. A peer that is alive but does not
 * read delays it. If the readable fails, the pipe ends at once; if the writable fails, after one second, for the peer's
 * last messages. `closed` gets the reason.
 *
 * Do not change a chunk after it is written or delivered.
 *
 * @throws {TypeError} if one of the streams is locked.
 */
export function createWebStreamPipe(streams: WebStreams): BytePipe {
  const takes = "createWebStreamPipe() takes { readable, writable } of the web";
  requireObject(readMember(streams, "readable"), takes, "getReader");
  requireObject(readMember(streams, "writable"), takes, "getWriter");
  return new WebStreamPipe(streams);
}

/**
 * Creates a transport over two Web Streams, for a client or an agent. It combines {@link createByteTransport} and
 * {@link createWebStreamPipe}.
 *
 * @example
 * ```ts
 * const transport = createStreamTransport({ readable: Deno.stdin.readable, writable: Deno.stdout.writable });
 * ```
 */
export function createStreamTransport(streams: WebStreams, options?: ByteTransportOptions): Transport {
  return createByteTransport(createWebStreamPipe(streams), options);
}

class WebStreamPipe implements BytePipe {
  readonly #reader: ReturnType<ReadableBytes["getReader"]>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #sink: BytePipeSink | undefined;
  /** Reading waits for this while it is paused. */
  #resumed: Deferred | undefined;
  #hasEnded = false;
  #written: Promise<void> = Promise.resolve();
  #writeFailure: Error | undefined;
  #lastMessages: ReturnType<typeof setTimeout> | undefined;
  #closing: Promise<void> | undefined;

  constructor(streams: WebStreams) {
    this.#reader = streams.readable.getReader();
    this.#writer = streams.writable.getWriter();
  }

  start(sink: BytePipeSink): void {
    this.#sink = sink;
    void this.#read(sink);
    // Rejects as soon as the stream has failed, even if nothing is being written.
    this.#writer.closed.catch((error: unknown) => this.#failWriting(error));
  }

  pause(): void {
    this.#resumed ??= createDeferred();
  }

  resume(): void {
    this.#resumed?.resolve();
    this.#resumed = undefined;
  }

  write(bytes: Uint8Array): void | Promise<void> {
    if (this.#closing !== undefined) return;
    // If it rejects, the stream has failed, which `closed` of the writer reports.
    this.#written = this.#writer.write(bytes).catch(ignore);
    const room = this.#writer.desiredSize;
    if (room === null || room > 0) return;
    return this.#writer.ready.catch(ignore);
  }

  flush(): Promise<void> {
    return this.#written;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #read(sink: BytePipeSink): Promise<void> {
    try {
      for (;;) {
        if (this.#resumed !== undefined) await this.#resumed.promise;
        const { done, value } = await this.#reader.read();
        if (this.#hasEnded) return;
        if (done || value === undefined) return this.#end(this.#writeFailure);
        sink.data(value);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  async #close(): Promise<void> {
    // If the other end is gone, both reject, and there is nothing left to do.
    await this.#writer.close().catch(ignore);
    this.#end(undefined);
    await this.#reader.cancel().catch(ignore);
    this.#writer.releaseLock();
    this.#reader.releaseLock();
  }

  #fail(error: unknown): void {
    const reason = toError(error);
    this.#end(reason);
    this.#reader.cancel(reason).catch(ignore);
    this.#writer.abort(reason).catch(ignore);
  }

  #failWriting(error: unknown): void {
    if (this.#hasEnded) return;
    this.#writeFailure = toError(error);
    this.#lastMessages = setTimeout(() => this.#fail(this.#writeFailure), lastMessagesMilliseconds);
  }

  #end(reason: Error | undefined): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#lastMessages);
    this.#sink?.closed(reason);
  }
}

function ignore(): void {}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error("The stream failed", { cause: error });
}
