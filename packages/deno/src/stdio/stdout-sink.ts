import type { RuntimeSink } from "@acp/host";

import { closeQuietly } from "./deno-calls.ts";
import type { RealStdout } from "./stdout-guard.ts";

/** What is given to another thread at a time, in bytes: as much as a pipe mostly holds, so that it takes it at once. */
const partSize = 64 * 1024;
/** How long that thread may take where the process is about to end, in milliseconds. */
const partTime = 50;
/** How long it was waiting, in milliseconds, where it is taken that nobody reads stdout. */
const unreadAfter = 1_000;

/** A sink whose writes wait in another thread, and which can do without it. */
export interface StdoutSink extends RuntimeSink {
  /**
   * Writes all that is left before it returns, and so does every `write` while `task` runs: for the end of the process,
   * which is the end of its threads. What nobody reads is left out.
   */
  now(task: () => void): void;
}

/** Stdout by Deno's own calls, where it may be a pipe; `write` and `writeSync` are those that still lead to it. */
export function stdoutSink({ write, writeSync }: RealStdout, failed: (error: unknown) => void): StdoutSink {
  /** What is not written and not under way, in order. */
  const left: Uint8Array[] = [];
  let gone = false;
  let isNow = false;
  let closing: Promise<void> | undefined;
  /** Writes what is left. */
  let writing: Promise<void> | undefined;
  /** Since when the other thread writes, by the clock of `performance`. */
  let since: number | undefined;

  /** Takes out what is to be written next. */
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
      // In the middle of a task nobody tells that the other thread is done.
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
    close() {
      closing ??= Promise.resolve(writing).then(() => {
        gone = true;
        closeQuietly(Deno.stdout);
      });
      return closing;
    },
  };
}
