import type { EndingSignal } from "@acp/host";

const numbers: Readonly<Record<EndingSignal, number>> = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

/**
 * How long to wait for a signal that this process sends itself, in milliseconds: listeners of Deno's own may prevent its
 * end.
 */
const grace = 2_000;

/** Ends this process by a signal without listeners. */
export function raiseSignal(signal: EndingSignal): void {
  try {
    Deno.kill(Deno.pid, signal);
  } catch {
    // Deno 2.8 requires a permission. The exit status that a shell makes of the signal is the next best.
    Deno.exit(128 + numbers[signal]);
  }
  // Another thread of Deno ends the process then. With nothing left to do, this one could be first, with status 0.
  setTimeout(() => {}, grace);
}
