interface Waits {
  /** How many questions about the call are open, and since when one is. */
  open: number;
  from: number;
  readonly past: { readonly from: number; readonly until: number }[];
}

/** The times in which questions about calls were open: the user took them, not the call. */
export class WaitTimes {
  readonly #now: () => number;
  readonly #calls = new Map<string, Waits>();

  /** `now` returns the time, as `Date.now()` does. */
  constructor(now: () => number = () => Date.now()) {
    this.#now = now;
  }

  /** A question about a call is open now. Returns a function for the end of that. */
  begin(sessionId: string, toolCallId: string): () => void {
    const key = keyOf(sessionId, toolCallId);
    const waits = this.#calls.get(key) ?? { open: 0, from: 0, past: [] };
    this.#calls.set(key, waits);
    if (waits.open === 0) waits.from = this.#now();
    waits.open += 1;
    return () => {
      waits.open -= 1;
      if (waits.open === 0) waits.past.push({ from: waits.from, until: this.#now() });
    };
  }

  /** How long questions about a call were open since then, in milliseconds; without one that is open still. */
  of(sessionId: string, toolCallId: string, since: number): number {
    const { past = [] } = this.#calls.get(keyOf(sessionId, toolCallId)) ?? {};
    return past.reduce((sum, { from, until }) => sum + Math.max(0, until - Math.max(from, since)), 0);
  }
}

function keyOf(sessionId: string, toolCallId: string): string {
  return JSON.stringify([sessionId, toolCallId]);
}
