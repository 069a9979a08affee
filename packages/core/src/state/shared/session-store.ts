import { ConnectionClosedError, UsageError } from "../../base/errors.ts";
import { callListener } from "../../base/promises.ts";
import type { List } from "./list.ts";
import { requireObject } from "../../base/require-argument.ts";

/** The state of a session as it goes on. */
export interface Store<State> {
  /** The state now. */
  readonly state: State;
  /**
   * Calls `listener` right after each change of the state. Returns a function that unsubscribes it. It needs no `this`, so
   * you can pass it on. If a listener throws or rejects, a diagnostic of type `observer-failed` reports the error.
   */
  readonly subscribe: (listener: () => void) => () => void;
  /** Stops following the session: the state stays as it is. */
  readonly close: () => void;
}

/** Options of a {@link Store}. */
export interface StoreOptions<State, Event> {
  /**
   * The state to go on from: what `reduceSession` makes of events that an earlier program has saved. Pass one for a session
   * that is resumed without its history; a session that replays its history takes no state.
   *
   * The store first ends whatever still runs in it: turns fail with a `ConnectionClosedError`, and tool calls become
   * `cancelled`, until the agent reports something else. `onEvent` receives the events of that, and new turns have higher
   * numbers than those of the state. So append the new events to the saved ones.
   *
   * ```ts
   * const state = saved.reduce(reduceSession, initialState());
   * const session = await agent.resumeSession({ sessionId, cwd });
   * const store = createSessionState(session, { state, onEvent: save });
   * ```
   */
  readonly state?: State | undefined;
  /**
   * Called with every event before the state changes. Save the events, and `reduceSession` makes the same state of them.
   *
   * Events can be JSON. That changes two things: the `error` of a failed turn becomes a plain object, with name and message
   * if it is an `AcpError`, and a part of an unknown kind inside an update, such as a content block, is as the agent sent
   * it, without the tag `unknownVariant`. A `switch` needs a `default` for that. `structuredClone` keeps the tag.
   */
  // The type of a method: a listener for the stable protocol serves for the unstable one, too.
  readonly onEvent?: { on(event: Event): void }["on"] | undefined;
}

/** A session of either version. */
export interface Observable<Event> {
  /** Whether it replays its whole history, as a session that is loaded does. Default: `false`. */
  readonly replaysHistory?: boolean;
  /** Calls `observer` with the events so far, as far as they are known, and with every event from then on. */
  readonly observe: (observer: (event: Event) => void) => () => void;
}

interface AnyState {
  readonly timeline?: object;
  readonly turns: List<{ readonly turn: number }>;
}

/** The events that end what an earlier program has left running. */
type EndingEvent =
  | { readonly type: "turn_failed"; readonly turn: number; readonly error: unknown }
  | { readonly type: "closed"; readonly turn?: undefined };

/** Follows a session of either version with the reducer of that version. */
export function followSession<Event extends { readonly type: string; readonly turn?: number }, State extends AnyState>(
  session: Observable<Event>,
  reduce: (state: State, event: Event | EndingEvent) => State,
  initial: State,
  options: StoreOptions<State, Event | EndingEvent> | undefined,
): Store<State> {
  requireObject(session, "createSessionState() takes a session of a client", "observe");
  const listeners = new Set<{ readonly listener: () => void }>();
  let state = options?.state ?? initial;
  if (state !== initial) checkSavedState(state, session.replaysHistory);
  let failures: unknown[] = [];
  // A listener that throws must not keep the event from the state or from other listeners.
  const collectFailure = (error: unknown): void => void failures.push(error);
  const handleEvent = (event: Event | EndingEvent): void => {
    callListener((one) => options?.onEvent?.(one), event, collectFailure);
    const before = state;
    state = reduce(before, event);
    if (state !== before) for (const { listener } of listeners) callListener(listener, undefined, collectFailure);
  };
  // Nothing changes where nothing was left running.
  const handleEnding = (event: EndingEvent): void => {
    if (reduce(state, event) !== state) handleEvent(event);
  };
  const error = new ConnectionClosedError("The program ended before the turn did");
  let lastTurn = 0;
  for (const { turn } of state.turns) {
    lastTurn = Math.max(lastTurn, turn);
    handleEnding({ type: "turn_failed", turn, error });
  }
  handleEnding({ type: "closed" });
  const close = session.observe((event) => {
    // The session counts its turns from 1.
    handleEvent(event.turn === undefined ? event : { ...event, turn: lastTurn + event.turn });
    const failed = failures;
    failures = [];
    // The session reports what its observers throw. A listener that rejects later is reported with the next event.
    if (failed.length > 1) throw new AggregateError(failed, `${failed.length} listeners failed`);
    if (failed.length > 0) throw failed[0];
  });
  return {
    get state() {
      return state;
    },
    subscribe: (listener) => {
      // The same function may subscribe twice.
      const entry = { listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    close,
  };
}

function checkSavedState({ timeline }: AnyState, replaysHistory: boolean | undefined): void {
  if (replaysHistory) {
    throw new UsageError(
      "A session that replays its history takes no `state`: leave it out, or resume without a replay",
    );
  }
  // A state that has been JSON has any type.
  if (!(timeline && "append" in timeline)) {
    throw new UsageError(
      "A state cannot be saved as JSON: save the events, and make the state of them with reduceSession",
    );
  }
}
