import { type Clock, sleep } from "../clock.ts";
import type { Claim, Journal } from "../journal/journal.ts";

/** What it takes to extend a claim. */
export interface LeaseParts {
  readonly journal: Journal;
  readonly claim: Claim;
  readonly clock: Clock;
  /** How long the claim lasts, in milliseconds. */
  readonly lease: number;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Others have the session, or may have it. */
  onLost(): void;
  onFailure(error: unknown): void;
}

/** How often a claim is extended while it lasts. */
const parts = 4;

/**
 * Extends a claim again and again. If that failed for as long as the claim lasts, it is lost. A machine that has slept may find
 * its claim over, and extends it if nobody has wanted it.
 */
export async function keepLease({
  journal,
  claim,
  clock,
  lease,
  signal,
  onLost,
  onFailure,
}: LeaseParts): Promise<void> {
  let failures = 0;
  const renew = async (): Promise<void> => {
    try {
      const lost = await journal.renew([claim], lease);
      if (lost.length > 0) onLost();
      failures = 0;
    } catch (error) {
      if (!signal.aborted) onFailure(error);
    }
  };
  for (;;) {
    await sleep(clock, lease / parts, signal);
    if (signal.aborted) return;
    if (failures === parts - 1) return onLost();
    failures += 1;
    void renew();
  }
}
