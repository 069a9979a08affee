import type { SessionEvent, SessionObserver } from "./session-event.ts";

/** Tells the observers of a session what happens in it. */
export class SessionEvents {
  /** Each with a key of its own: the same function may observe twice. */
  readonly #observers = new Map<symbol, SessionObserver>();
  readonly #onFailure: (error: unknown) => void;

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  get isObserved(): boolean {
    return this.#observers.size > 0;
  }

  /** Tells it what led here, and all from now on. Returns what ends it. */
  observe(observer: SessionObserver, past: readonly SessionEvent[]): () => void {
    const key = Symbol();
    this.#observers.set(key, observer);
    for (const event of past) this.#call(observer, event);
    return () => void this.#observers.delete(key);
  }

  tell(event: SessionEvent): void {
    if (this.isObserved) for (const observer of this.#observers.values()) this.#call(observer, event);
  }

  /** What an observer throws must not become the failure of a turn, or keep an update from its handler. */
  #call(observer: SessionObserver, event: SessionEvent): void {
    try {
      observer(event);
    } catch (error) {
      this.#onFailure(error);
    }
  }
}
