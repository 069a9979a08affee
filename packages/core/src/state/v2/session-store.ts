import { follow } from "../shared/follow.ts";
import type { ObservableSession, SessionEvent } from "../../v2/session-event.ts";
import { reduceSession } from "./reduce-session.ts";
import {
  type AnyEvent,
  type AnyState,
  initialState,
  type SessionState,
  type StateTypes,
  type UnstableStateTypes,
} from "./session-state.ts";

/** The state of a session as it goes on. */
export interface SessionStore<T extends UnstableStateTypes = StateTypes> {
  /** The state now. */
  readonly state: SessionState<T>;
  /**
   * Calls `listener` right after each change of the state. Returns a function that ends it. It needs no `this`, so it can
   * be passed on. What a listener throws, or rejects with, becomes a diagnostic of type `observer-failed`.
   */
  readonly subscribe: (listener: () => void) => () => void;
  /** Stops following the session: the state stays as it is. */
  readonly close: () => void;
}

/** Options of {@link createSessionState}. */
export interface SessionStoreOptions<T extends UnstableStateTypes = StateTypes> {
  /**
   * The state to go on from: what `reduceSession` makes of events that an earlier program has saved. It is for a session
   * that is resumed without a replay. One with a replay tells its whole history again, and takes no state.
   *
   * What still runs in it is ended first: its turns have failed with a `ConnectionClosedError`, and its tool calls are
   * `cancelled`, until the agent tells otherwise. `onEvent` gets the events of that too, but no old ones, and new turns have
   * numbers behind those of the state. So save what it gets behind what was saved.
   *
   * ```ts
   * const state = saved.reduce(reduceSession, initialState());
   * const session = await agent.resumeSession({ sessionId, cwd });
   * const store = createSessionState(session, { state, onEvent: save });
   * ```
   */
  readonly state?: SessionState<T> | undefined;
  /**
   * Called with every event before the state changes. Save the events, and `reduceSession` makes the same state of them.
   *
   * They can be saved as JSON, or sent to another process as JSON. Two things change on the way: the `error` of a turn that
   * has failed becomes a plain object, with name and message if it is an `AcpError`, and parts of an unknown kind inside an
   * update, such as a content block, become `{ received }`. Their tag is a symbol, which JSON leaves out and
   * `structuredClone` refuses.
   */
  // The type of a method: a listener for the stable protocol serves for the unstable one, too.
  readonly onEvent?: { on(event: SessionEvent<T["update"], T["idle"]>): void }["on"] | undefined;
}

/**
 * Follows a session: its updates, also while it is resumed, and what this client does with it: prompts, cancels, changes
 * of options.
 *
 * Make it right after the session was opened, before anything else is awaited: then it misses nothing. Made later it has
 * no history; if nobody else has taken that, a diagnostic of type `unobserved-updates` tells. The state is up to date
 * before a handler of `session/update` runs, and when `turn.accepted` and `turn.finished` resolve.
 *
 * ```ts
 * const session = await agent.resumeSession({ sessionId, cwd, replayFrom: { type: "start" } });
 * const store = createSessionState(session);
 * store.subscribe(() => render(store.state));
 * ```
 *
 * @throws {UsageError} if there is a `state` for a session that replays its history, or one that has itself been JSON.
 */
export function createSessionState(session: ObservableSession, options?: SessionStoreOptions): SessionStore;
export function createSessionState(
  session: UnstableSession,
  options?: SessionStoreOptions<UnstableStateTypes>,
): SessionStore<UnstableStateTypes>;
export function createSessionState(
  session: UnstableSession,
  options?: SessionStoreOptions<UnstableStateTypes>,
): SessionStore<UnstableStateTypes> {
  return follow<AnyEvent, AnyState>(session, reduceSession, initialState(), options);
}

type UnstableSession = ObservableSession<UnstableStateTypes["update"], UnstableStateTypes["idle"]>;
