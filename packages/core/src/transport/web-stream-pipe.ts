import type { BytePipe, BytePipeSink } from "./byte-pipe.ts";
import { type ByteTransportOptions, createByteTransport } from "./byte-transport.ts";
import { createDeferred, type Deferred } from "../base/promises.ts";
import type { Transport } from "./transport.ts";

/** How long reading goes on once nothing can be written any more, in milliseconds: a peer that ends has last words. */
const lastWordsMilliseconds = 1000;

/**
 * What is needed of a `ReadableStream<Uint8Array>`: pass one. Its members are written out here because the types of the
 * runtimes disagree about the others.
 */
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
  /** What the peer sends. Locked while the pipe is open. */
  readonly readable: ReadableBytes;
  /** What the peer is sent. Locked while the pipe is open. */
  readonly writable: WritableStream<Uint8Array>;
}

/**
 * A pipe over two Web Streams. It locks both when it is made.
 *
 * `write` returns a promise while the queue of the writable is full, and a paused pipe reads no further. `close` waits
 * until what was written is taken, then closes the writable and cancels the readable: a peer that lives but does not read
 * holds it up. A readable that fails ends the pipe at once; a writable that fails leaves the peer a second for its last
 * messages. `closed` gets the reason.
 *
 * Do not change a chunk after it was written or delivered.
 *
 * @throws {TypeError} if one of the streams is locked.
 */
export function createWebStreamPipe(streams: WebStreams): BytePipe {
  return new WebStreamPipe(streams);
}

/**
 * A transport over two Web Streams, ready for a client or an agent: {@link createByteTransport} over
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
  /** What reading waits for while it is paused. */
  #resumed: Deferred | undefined;
  #hasEnded = false;
  #writeFailure: Error | undefined;
  #lastWords: ReturnType<typeof setTimeout> | undefined;
  #closing: Promise<void> | undefined;

  constructor(streams: WebStreams) {
    this.#reader = streams.readable.getReader();
    this.#writer = streams.writable.getWriter();
  }

  start(sink: BytePipeSink): void {
    this.#sink = sink;
    void this.#read(sink);
    // `closed` rejects as soon as the stream is errored, also if nothing is being written.
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
    // Its rejection is the stream's failure, which `closed` of the writer reports.
    this.#writer.write(bytes).catch(ignore);
    const room = this.#writer.desiredSize;
    if (room === null || room > 0) return;
    return this.#writer.ready.catch(ignore);
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
    // Both settle when the other end is gone: then they reject, and there is nothing left to do.
    await this.#writer.close().catch(ignore);
    this.#end(undefined);
    await this.#reader.cancel().catch(ignore);
    this.#writer.releaseLock();
    this.#reader.releaseLock();
  }

  #fail(error: unknown): void {
    const reason = asError(error);
    this.#end(reason);
    this.#reader.cancel(reason).catch(ignore);
    this.#writer.abort(reason).catch(ignore);
  }

  #failWriting(error: unknown): void {
    if (this.#hasEnded) return;
    this.#writeFailure = asError(error);
    this.#lastWords = setTimeout(() => this.#fail(this.#writeFailure), lastWordsMilliseconds);
  }

  #end(reason: Error | undefined): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#lastWords);
    this.#sink?.closed(reason);
  }
}

function ignore(): void {}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error("The stream failed", { cause: error });
}
