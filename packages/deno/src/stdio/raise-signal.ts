import type { EndingSignal } from "@acp/host";

const numbers: Readonly<Record<EndingSignal, number>> = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

/** How long a signal that this process sends itself has to end it, in milliseconds: listeners of Deno's own may not. */
const grace = 2_000;

/** Ends this process by a signal that nobody listens to. */
export function raiseSignal(signal: EndingSignal): void {
  try {
    Deno.kill(Deno.pid, signal);
  } catch {
    // Deno 2.8 has that permitted. What a shell makes of the signal is the next best.
    Deno.exit(128 + numbers[signal]);
  }
  // Another thread of Deno's ends the process then. With nothing left to do, this one could be first, with status 0.
  setTimeout(() => {}, grace);
}
