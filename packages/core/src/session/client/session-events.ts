import { callListener } from "../../base/promises.ts";

interface Observation<Event> {
  readonly observer: (event: Event) => void;
  /** How many of those events had been told when it began. */
  readonly since: number;
}

/** Tells the observers of a session what happens in it. */
export class SessionEvents<Event> {
  /** The same function may observe twice. */
  readonly #observers = new Set<Observation<Event>>();
  /** How many events were told that a past has. */
  #count = 0;
  /** What an observer throws must not become the failure of a turn, or keep an update from its handler. */
  readonly #onFailure: (error: unknown) => void;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  get isObserved(): boolean {
    return this.#observers.size > 0;
  }

  /** Tells it what led here, and all from now on. Returns what ends it. */
  observe(observer: (event: Event) => void, past: readonly Event[]): () => void {
    const observation = { observer, since: this.#count };
    this.#observers.add(observation);
    for (const event of past) callListener(observer, event, this.#onFailure);
    return () => void this.#observers.delete(observation);
  }

  /** `isPast` says that whoever begins to observe while it is told has it in the past. */
  tell(event: Event, isPast: boolean): void {
    if (!this.isObserved) return;
    const count = isPast ? ++this.#count : Infinity;
    for (const { observer, since } of this.#observers)
      if (since < count) callListener(observer, event, this.#onFailure);
  }
}
