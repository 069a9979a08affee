import type { BytePipe } from "@acp/core";

/** What is written at a time where there is much to write is not less, in bytes. */
const batch = 32 * 1024;

/**
 * The same pipe where writing waits in this thread, as writing to stdout does on Windows: whoever writes much without a
 * pause is held back for a turn of the event loop, in which a cancellation can arrive. `nextTurn` calls a task in that turn.
 */
export function yieldingPipe(pipe: BytePipe, nextTurn: (task: () => void) => void): BytePipe {
  const room = (): Promise<void> => new Promise((resolve) => nextTurn(resolve));
  return { ...pipe, write: (bytes) => pipe.write(bytes) ?? (bytes.length < batch ? undefined : room()) };
}
