import type { BytePipe } from "@acp/core";

/** The size from which a write counts as large, in bytes. */
const batch = 32 * 1024;

/**
 * Wraps a pipe that blocks this thread while it writes, as stdout does on Windows: a sender of many large messages waits
 * for a turn of the event loop, in which a cancellation can arrive. `nextTurn` calls a task in that turn.
 */
export function withPauses(pipe: BytePipe, nextTurn: (task: () => void) => void): BytePipe {
  const room = (): Promise<void> => new Promise((resolve) => nextTurn(resolve));
  return { ...pipe, write: (bytes) => pipe.write(bytes) ?? (bytes.length < batch ? undefined : room()) };
}
