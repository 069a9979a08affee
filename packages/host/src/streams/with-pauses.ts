import type { BytePipe } from "@acp/core";

/** Writes of at least this size are followed by a pause, in bytes. */
const largeWrite = 32 * 1024;

/**
 * Wraps a pipe that blocks this thread while it writes, as stdout does on Windows. After a large write, senders wait for
 * one turn of the event loop, so that a cancellation can be read between many large messages. `nextTurn` runs a task in the
 * next turn.
 */
export function withPauses(pipe: BytePipe, nextTurn: (task: () => void) => void): BytePipe {
  const pause = (): Promise<void> => new Promise((resolve) => nextTurn(resolve));
  return { ...pipe, write: (bytes) => pipe.write(bytes) ?? (bytes.length < largeWrite ? undefined : pause()) };
}
