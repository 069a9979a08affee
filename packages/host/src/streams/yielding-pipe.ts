import type { BytePipe } from "@acp/core";

/** What is written at a time where there is much to write is not less, in bytes. */
const batch = 32 * 1024;

/**
 * The same pipe where writing waits in this thread, as writing to stdout does on Windows: whoever writes much without a
 * pause is held back for a turn of the event loop, in which a cancellation can arrive. `nextTurn` calls a task in that turn.
 */
export function yieldingPipe(pipe: BytePipe, nextTurn: (task: () => void) => void): BytePipe {
  return {
    ...pipe,
    write(bytes) {
      const room = pipe.write(bytes);
      return room === undefined && bytes.length >= batch ? new Promise((resolve) => nextTurn(resolve)) : room;
    },
  };
}
