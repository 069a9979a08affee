import type { ChunkReader, RuntimeSink } from "@acp/host";

/** The size of a pipe on Linux, so that one read can empty it. */
const readSize = 64 * 1024;

/** Reads stdin with Deno's own calls, which read anything: files and terminals, too. */
export function stdinReader(): ChunkReader {
  let buffer = new Uint8Array(readSize);
  let isClosed = false;
  return {
    async read() {
      const count = await Deno.stdin.read(buffer).catch((error: unknown) => {
        if (isClosed) return null;
        throw error;
      });
      if (count === null || isClosed) return { done: true };
      // A short read leaves the rest of the buffer to the next one.
      if (count < readSize / 2) return { done: false, value: buffer.slice(0, count) };
      const value = buffer.subarray(0, count);
      buffer = new Uint8Array(readSize);
      return { done: false, value };
    },
    async cancel() {
      if (isClosed) return;
      isClosed = true;
      closeQuietly(Deno.stdin);
    },
  };
}

/**
 * Writes to a stdout that never blocks, since it is a file or a terminal: everything is written at once, even if the
 * process ends then. `writeSync` is the function that still leads to it.
 */
export function fileSink(writeSync: typeof Deno.stdout.writeSync, failed: (error: unknown) => void): RuntimeSink {
  let gone = false;
  return {
    write(bytes) {
      if (gone) return;
      try {
        for (let rest = bytes; rest.length > 0;) rest = rest.subarray(writeSync(rest));
      } catch (error) {
        gone = true;
        failed(error);
      }
    },
    async flush() {},
    async close() {
      gone = true;
      closeQuietly(Deno.stdout);
    },
  };
}

/** Closes stdin or stdout, which may be closed already. */
export function closeQuietly(stream: { close(): void }): void {
  try {
    stream.close();
  } catch {
    // It is closed.
  }
}
