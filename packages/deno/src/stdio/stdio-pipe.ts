import type { BytePipe } from "@acp/core";
import { type ClosableSource, joinPipe, type RuntimeSink } from "@acp/host";

import { guardStdout } from "./stdout-guard.ts";

/** What a pipe holds on Linux, so that one read can empty it. */
const readSize = 64 * 1024;

/**
 * The stdin and stdout of this process, for the protocol alone. By Deno's own calls: over its Web Streams a message and its answer take a
 * quarter longer.
 */
export function openStdio(): BytePipe {
  const write = guardStdout();
  return joinPipe((failed) => {
    const source = stdinSource(failed);
    return { source, sink: stdoutSink(write, failed), cancel: () => source.cancel() };
  });
}

function stdinSource(failed: (error: unknown) => void): ClosableSource {
  let resume: (() => void) | undefined;
  let paused: Promise<void> | undefined;
  let isClosed = false;

  const read = async (sink: { data(chunk: Uint8Array): void; end(): void }): Promise<void> => {
    let buffer = new Uint8Array(readSize);
    try {
      for (;;) {
        if (paused !== undefined) await paused;
        const count = await Deno.stdin.read(buffer);
        if (count === null || isClosed) break;
        if (count < readSize / 2) {
          sink.data(buffer.slice(0, count));
        } else {
          sink.data(buffer.subarray(0, count));
          buffer = new Uint8Array(readSize);
        }
      }
    } catch (error) {
      if (!isClosed) failed(error);
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
    async cancel() {
      if (isClosed) return;
      isClosed = true;
      closeQuietly(Deno.stdin);
    },
  };
}

function stdoutSink(write: typeof Deno.stdout.write, failed: (error: unknown) => void): RuntimeSink {
  let gone = false;
  let closing: Promise<void> | undefined;
  /** The last write, while it or one before it is under way. */
  let last: Promise<void> | undefined;

  const writeAll = async (bytes: Uint8Array): Promise<void> => {
    // The one before it may have failed.
    if (gone) return;
    try {
      for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await write(rest));
    } catch (error) {
      gone = true;
      failed(error);
    }
  };

  const close = async (): Promise<void> => {
    await last;
    gone = true;
    closeQuietly(Deno.stdout);
  };

  return {
    write(bytes) {
      if (gone || closing !== undefined) return undefined;
      const written = (last === undefined ? writeAll(bytes) : last.then(() => writeAll(bytes))).then(() => {
        if (last === written) last = undefined;
      });
      last = written;
      return written;
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function closeQuietly(stream: { close(): void }): void {
  try {
    stream.close();
  } catch {
    // It is closed.
  }
}
