import type { RuntimeSink, RuntimeSource } from "../runtime/runtime.ts";

/** An event emitter, as Node's streams are. */
interface Emitter {
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
}

/** The part of a readable Node stream that is used here. */
export interface NodeReadable extends Emitter {
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: string, listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
  destroy(): unknown;
}

/** The part of a writable Node stream that is used here. */
export interface NodeWritable extends Emitter {
  readonly writable: boolean;
  write(bytes: Uint8Array, written?: () => void): boolean;
  end(): unknown;
}

/** Reads a Node stream as a source of bytes. A failure is an end: `failed` gets the error. */
export function nodeSource(readable: NodeReadable, failed?: (error: Error) => void): RuntimeSource {
  return {
    start(sink) {
      let ended = false;
      const end = (): void => {
        if (ended) return;
        ended = true;
        sink.end();
      };
      readable.on("error", (error) => {
        failed?.(error);
        end();
      });
      readable.on("end", end);
      readable.on("close", end);
      readable.on("data", (chunk) => sink.data(chunk));
      // Otherwise a stream that was paused before would never be read, as by a program that asks in the terminal.
      readable.resume();
    },
    pause: () => void readable.pause(),
    resume: () => void readable.resume(),
  };
}

/** Writes like `stream.write`: `false` means that the stream is full. `written` is called once the system has the bytes. */
export type ByteWriter = (bytes: Uint8Array, written?: () => void) => boolean;

/** Events after which a stream writes nothing more. */
const ends = ["finish", "close", "error"];

/** Writes to a Node stream as a sink for bytes. Failures end it quietly; `failed` gets them. */
export function nodeSink(
  writable: NodeWritable,
  failed?: (error: Error) => void,
  write: ByteWriter = (bytes, written) => writable.write(bytes, written),
): RuntimeSink {
  let drained: Promise<void> | undefined;
  // After an error, the standard streams seem usable again, but never finish.
  let isBroken = false;
  writable.on("error", (error) => {
    isBroken = true;
    failed?.(error);
  });
  const isOver = (): boolean => isBroken || !writable.writable;
  const untilOver = (begin: (done: () => void) => unknown): Promise<void> =>
    isOver() ? Promise.resolve() : nextOf(writable, ends, begin);
  return {
    write(bytes) {
      if (isOver() || write(bytes)) return undefined;
      drained ??= nextOf(writable, ["drain", ...ends]).then(() => (drained = undefined));
      return drained;
    },
    // It comes behind everything before it.
    flush: () => untilOver((done) => write(new Uint8Array(0), done)),
    close: () => untilOver(() => writable.end()),
  };
}

/** Settles with the first of several events, or when `begin` calls back. */
function nextOf(emitter: Emitter, events: readonly string[], begin?: (done: () => void) => unknown): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const event of events) emitter.off(event, done);
      resolve();
    };
    for (const event of events) emitter.on(event, done);
    begin?.(done);
  });
}
