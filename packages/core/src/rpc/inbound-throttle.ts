import type { Transport } from "../transport/transport.ts";

/** Characters of queued notifications above which reading pauses. */
const pauseAbove: number = 1024 * 1024;
/** Characters below which it goes on. */
const resumeBelow: number = 512 * 1024;

/** Decides anew whether to read on. `mayPause` is asked only when it matters. */
export type InboundThrottle = (queuedSize: number, mayPause: () => boolean) => void;

/**
 * Pauses reading while handlers are behind, so that a fast sender is slowed instead of buffered.
 *
 * Never while a running handler may wait for an answer, which could only be read behind the queue.
 */
export function createInboundThrottle(transport: Transport): InboundThrottle {
  let isPaused = false;
  return (queuedSize, mayPause) => {
    if (!isPaused && queuedSize > pauseAbove && mayPause()) {
      isPaused = true;
      transport.pause();
    } else if (isPaused && (queuedSize < resumeBelow || !mayPause())) {
      isPaused = false;
      transport.resume();
    }
  };
}
