import type { Transport } from "../transport/transport.ts";
import type { Lanes } from "./lanes.ts";
import type { OutgoingRequests } from "./outgoing-requests.ts";

/** Characters of queued notifications above which reading pauses. */
const pauseAbove = 1024 * 1024;
/** Characters below which it resumes. */
const resumeBelow = 512 * 1024;

/** Pauses or resumes reading, depending on the queues. */
export type InboundThrottle = (lanes: Pick<Lanes, "queuedSize" | "runningSince">) => void;

/**
 * Pauses reading while handlers are behind, so that a fast sender is slowed down and not buffered.
 *
 * Never while a running handler may await an answer, which could only be read behind the queue.
 */
export function createInboundThrottle(
  transport: Transport,
  calls: Pick<OutgoingRequests, "isWaitingSince">,
): InboundThrottle {
  let isPaused = false;
  return (lanes) => {
    const size = lanes.queuedSize;
    if (!isPaused && size > pauseAbove && mayPause(lanes.runningSince)) {
      isPaused = true;
      transport.pause();
    } else if (isPaused && (size < resumeBelow || !mayPause(lanes.runningSince))) {
      isPaused = false;
      transport.resume();
    }
  };

  function mayPause(runningSince: number): boolean {
    return runningSince !== 0 && !calls.isWaitingSince(runningSince);
  }
}
