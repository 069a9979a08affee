import type { ReadableBytes } from "@acp/core";

import type { RuntimeSink, RuntimeSource } from "../runtime/runtime.ts";
import { requireObject } from "@acp/core/internal";

/** A source that can be cancelled. */
export interface ClosableSource extends RuntimeSource {
  /** Stops reading for good, also a pending read. Never rejects. */
  cancel(): Promise<void>;
}

/** A reader of chunks, such as the reader of a Web Stream. */
export interface ChunkReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** Reads a Web Stream as a source of bytes. A failure is an end: `failed` gets the error. */
export function webSource(readable: ReadableBytes, failed?: (error: unknown) => void): ClosableSource {
  requireObject(readable, "webSource() takes a ReadableStream first", "getReader");
  return readerSource(readable.getReader(), failed);
}

/** The same for any other reader. */
export function readerSource(reader: ChunkReader, failed?: (error: unknown) => void): ClosableSource {
  requireObject(reader, "readerSource() takes a reader first", "read", "cancel");
  let resume: (() => void) | undefined;
  let paused: Promise<void> | undefined;

  const read = async (sink: { data(chunk: Uint8Array): void; end(): void }): Promise<void> => {
    try {
      for (;;) {
        if (paused !== undefined) await paused;
        const { done, value } = await reader.read();
        if (done || value === undefined) break;
        try {
          sink.data(value);
        } catch (error) {
          // A listener has failed, not the stream: make it an uncaught error, as an event would.
          queueMicrotask(() => rethrow(error));
        }
      }
    } catch (error) {
      failed?.(error);
    }
    sink.end();
  };

  return {
    start: (sink) => void read(sink),
    pause() {
      paused ??= new Promise((resolve) => (resume = resolve));
    },
    resume() {
      resume?.();
      paused = undefined;
    },
    cancel: () => reader.cancel().catch(() => {}),
  };
}

function rethrow(error: unknown): never {
  throw error;
}

/** Writes to a Web Stream as a sink for bytes. Failures end it quietly; `failed` gets them. */
export function webSink(writable: WritableStream<Uint8Array>, failed?: (error: unknown) => void): RuntimeSink {
  requireObject(writable, "webSink() takes a WritableStream first", "getWriter");
  const writer = writable.getWriter();
  let gone = false;
  let written: Promise<void> = Promise.resolve();
  let closing: Promise<void> | undefined;
  const fail = (error: unknown): void => {
    if (gone) return;
    gone = true;
    failed?.(error);
  };
  // Rejects as soon as the stream has failed, even if nothing is being written.
  writer.closed.then(() => (gone = true), fail);
  return {
    write(bytes) {
      if (gone || closing !== undefined) return undefined;
      written = writer.write(bytes).catch(fail);
      const room = writer.desiredSize;
      if (room === null || room > 0) return undefined;
      return writer.ready.catch(() => {});
    },
    flush: () => written,
    close() {
      closing ??= writer.close().catch(() => {});
      return closing;
    },
  };
}
