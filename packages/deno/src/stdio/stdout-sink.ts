import type { RuntimeSink } from "@acp/host";

import { closeQuietly } from "./deno-calls.ts";
import type { RealStdout } from "./stdout-guard.ts";

/** How much the other thread gets at a time, in bytes: what a pipe usually holds, so that it accepts it at once. */
const partSize = 64 * 1024;
/** How long that thread may take when the process is about to end, in milliseconds. */
const partTime = 50;
/** After how long a wait stdout counts as unread, in milliseconds. */
const unreadAfter = 1_000;

/** A sink whose writes block another thread, but which can do without it. */
export interface StdoutSink extends RuntimeSink {
  /**
   * Writes the queue before it returns, and so does every `write` while `task` runs: for the end of the process, which
   * ends its threads. Skips what nobody reads.
   */
  now(task: () => void): void;
}

/**
 * Writes to stdout with Deno's own calls, if it may be a pipe; `write` and `writeSync` are those that still lead to it.
 */
export function stdoutSink({ write, writeSync }: RealStdout, failed: (error: unknown) => void): StdoutSink {
  /** The queue, without what is being written, in order. */
  const left: Uint8Array[] = [];
  let gone = false;
  let isNow = false;
  let closing: Promise<void> | undefined;
  /** Writes what is left. */
  let writing: Promise<void> | undefined;
  /** When the other thread started to write, by the clock of `performance`. */
  let since: number | undefined;

  /** Removes the next part from the queue. */
  const next = (): Uint8Array | undefined => {
    const bytes = gone ? undefined : left.shift();
    if (bytes === undefined || bytes.length <= partSize) return bytes;
    left.unshift(bytes.subarray(partSize));
    return bytes.subarray(0, partSize);
  };

  const fail = (error: unknown): void => {
    gone = true;
    failed(error);
  };

  const writeLeft = async (): Promise<void> => {
    try {
      for (let part = next(); part !== undefined; part = next()) {
        since = performance.now();
        for (let rest = part; rest.length > 0;) rest = rest.subarray(await write(rest));
      }
    } catch (error) {
      fail(error);
    }
    since = undefined;
    writing = undefined;
  };

  const writeNow = (): void => {
    if (since !== undefined) {
      if (performance.now() - since > unreadAfter) return;
      // In the middle of a task, nothing reports that the other thread is done.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, partTime);
      since = undefined;
    }
    try {
      for (let part = next(); part !== undefined; part = next()) {
        for (let rest = part; rest.length > 0;) rest = rest.subarray(writeSync(rest));
      }
    } catch (error) {
      fail(error);
    }
  };

  return {
    write(bytes) {
      if (gone || closing !== undefined || bytes.length === 0) return undefined;
      left.push(bytes);
      if (!isNow) return (writing ??= writeLeft());
      writeNow();
      return undefined;
    },
    now(task) {
      isNow = true;
      writeNow();
      task();
      isNow = false;
    },
    flush: async () => writing,
    close() {
      closing ??= Promise.resolve(writing).then(() => {
        gone = true;
        closeQuietly(Deno.stdout);
      });
      return closing;
    },
  };
}
