/**
 * The calls in flight that open a session whose id only the answer names. While one of them has no answer, an unopened
 * id may be that of its session.
 */
export class OpeningRound<S> {
  #count = 0;
  #hasFailed = false;
  readonly #claimed = new Set<S>();

  get isRunning(): boolean {
    return this.#count > 0;
  }

  /** A call was sent. Returns a function to call when it is over. */
  begin(): (hasFailed: boolean) => void {
    this.#count++;
    return (hasFailed) => {
      this.#count--;
      this.#hasFailed ||= hasFailed;
    };
  }

  /** A session was claimed: if an answer names it, it is that of the call. */
  claimed(session: S): void {
    if (this.isRunning) this.#claimed.add(session);
  }

  wasClaimed(session: S): boolean {
    return this.#claimed.has(session);
  }

  /**
   * Ends the round if no call is in flight. Returns true if it has ended and all its calls succeeded: then messages for
   * other ids belong to sessions that the agent opened by itself. After a failure, they may be for the session of that call.
   */
  settle(): boolean {
    if (this.isRunning) return false;
    const areOthersTheirs = !this.#hasFailed;
    this.#hasFailed = false;
    this.#claimed.clear();
    return areOthersTheirs;
  }
}
