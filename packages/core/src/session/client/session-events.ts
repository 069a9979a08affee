import { callListener } from "../../base/promises.ts";

interface Observation<Event> {
  observer(event: Event): void;
  /** How many events had been counted when it started. */
  readonly since: number;
}

/** Passes the events of a session to its observers. */
export class SessionEvents<Event> {
  /** The same function may observe twice. */
  readonly #observers = new Set<Observation<Event>>();
  /** How many events were emitted that a past contains. */
  #count = 0;
  /** A failing observer must not fail a turn, or keep an update from its handler. */
  readonly #onFailure: (error: unknown) => void;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  get isObserved(): boolean {
    return this.#observers.size > 0;
  }

  /** Calls `observer` with the past, and with all events from now on. Returns an unsubscribe function. */
  observe(observer: (event: Event) => void, past: readonly Event[]): () => void {
    const observation = { observer, since: this.#count };
    this.#observers.add(observation);
    for (const event of past) callListener(observer, event, this.#onFailure);
    return () => void this.#observers.delete(observation);
  }

  /** `isPast`: for an observer added while the event is emitted, the event is in the past. */
  emit(event: Event, isPast: boolean): void {
    if (!this.isObserved) return;
    const count = isPast ? ++this.#count : Infinity;
    for (const { observer, since } of this.#observers)
      if (since < count) callListener(observer, event, this.#onFailure);
  }
}
