import { callListener } from "../../base/promises.ts";
import { checkSavedState, type Ending, endingsOf, type SavedState } from "../v1/saved-state.ts";

/** What a session tells, of whichever version. */
interface AnyEvent {
  readonly type: string;
  readonly turn?: number;
}

interface AnySession<Event> {
  readonly replaysHistory?: boolean;
  readonly observe: (observer: (event: Event) => void) => () => void;
}

interface AnyOptions<Event, State> {
  readonly state?: State | undefined;
  readonly onEvent?: ((event: Event | Ending) => void) | undefined;
}

interface AnyStore<State> {
  readonly state: State;
  readonly subscribe: (listener: () => void) => () => void;
  readonly close: () => void;
}

/** The store of a session whose events a reducer knows, of whichever version. */
export function follow<Event extends AnyEvent, State extends SavedState>(
  session: AnySession<Event>,
  reduce: (state: State, event: Event | Ending) => State,
  initial: State,
  options: AnyOptions<Event, State> | undefined,
): AnyStore<State> {
  const listeners = new Set<{ readonly listener: () => void }>();
  let state = options?.state ?? initial;
  if (state !== initial) checkSavedState(state, session.replaysHistory);
  /** What goes wrong while no event is told, and what listeners reject with. */
  let failures: unknown[] = [];
  // One listener that throws must not keep the event from the state or from the others.
  const fail = (error: unknown): void => void failures.push(error);
  const take = (event: Event | Ending): void => {
    callListener((told) => options?.onEvent?.(told), event, fail);
    const before = state;
    state = reduce(before, event);
    if (state !== before) for (const { listener } of listeners) callListener(listener, undefined, fail);
  };
  let lastTurn = 0;
  for (const event of endingsOf(state)) {
    lastTurn = Math.max(lastTurn, event.turn ?? 0);
    if (reduce(state, event) !== state) take(event);
  }
  const close = session.observe((event) => {
    // The session counts its turns from 1.
    take(event.turn === undefined ? event : { ...event, turn: lastTurn + event.turn });
    const failed = failures;
    failures = [];
    // The session tells its diagnostics of what an observer throws. What comes between events is told with the next one.
    if (failed.length > 1) throw new AggregateError(failed, `${failed.length} listeners failed`);
    if (failed.length > 0) throw failed[0];
  });
  return {
    get state() {
      return state;
    },
    subscribe: (listener) => {
      // The same function may listen twice.
      const entry = { listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    close,
  };
}
