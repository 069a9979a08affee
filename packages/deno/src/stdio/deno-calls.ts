import type { ChunkReader, RuntimeSink } from "@acp/host";

/** What a pipe holds on Linux, so that one read can empty it. */
const readSize = 64 * 1024;

/** Stdin by Deno's own calls, which read anything: files and terminals, too. */
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
      // What takes up little of the buffer leaves it to the next read.
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

/** Stdout by Deno's own calls; `write` is the one that still leads to it. */
export function stdoutSink(write: typeof Deno.stdout.write, failed: (error: unknown) => void): RuntimeSink {
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

/**
 * The same where nobody has to be waited for, since stdout is a file or a terminal: what is written is out at once, also
 * where the process ends then.
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
    async close() {
      gone = true;
      closeQuietly(Deno.stdout);
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
