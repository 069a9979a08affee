import { type ClosableSource, readerSource } from "@acp/host";

/** How much is read before other tasks get their turn, in bytes. */
const turn = 256 * 1024;

/** How many such turns pass before timers get theirs: on a busy machine Bun has put them off for as long as immediates came. */
const turnsBeforeTimers = 16;

/**
 * Reads a stream of Bun as a source of bytes. Bun reads on in microtasks for as long as there is something to read:
 * without a pause, a process that writes much would block timers and other streams for seconds.
 */
export function turningSource(readable: ReadableStream<Uint8Array>, failed?: (error: unknown) => void): ClosableSource {
  const reader = readable.getReader();
  let size = 0;
  let turns = 0;
  /** What is left of a chunk: Bun reads ahead while this process is busy, and then hands over dozens of megabytes at once. */
  let rest: Uint8Array | undefined;
  return readerSource(
    {
      async read() {
        if (size >= turn) {
          size = 0;
          turns = (turns + 1) % turnsBeforeTimers;
          await new Promise((resolve) => (turns === 0 ? setTimeout(resolve, 0) : setImmediate(resolve)));
        }
        if (rest === undefined) {
          const result = await reader.read();
          if (result.done) return result;
          rest = result.value;
        }
        const value = rest.subarray(0, turn);
        rest = rest.length > turn ? rest.subarray(turn) : undefined;
        size += value.length;
        return { done: false, value };
      },
      cancel() {
        rest = undefined;
        return reader.cancel();
      },
    },
    failed,
  );
}
