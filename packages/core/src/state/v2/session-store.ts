import { followSession, type Store, type StoreOptions } from "../shared/session-store.ts";
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
export interface SessionStore<T extends UnstableStateTypes = StateTypes> extends Store<SessionState<T>> {}

/** Options of {@link createSessionState}. */
export interface SessionStoreOptions<T extends UnstableStateTypes = StateTypes> extends StoreOptions<
  SessionState<T>,
  SessionEvent<T["update"], T["idle"]>
> {}

/**
 * Follows a session: its updates, also while it is resumed, and this client's prompts, cancels and changes of options.
 *
 * Create the store right after the session was opened, before you await anything else: then it misses nothing. A store
 * created later has no history, but the latest of what tells of the session: commands, options, usage, title, state. If
 * nobody else has taken the history, a diagnostic of type `unobserved-updates` reports that. The state is up to date before a handler of `session/update` runs, and when `turn.accepted` and `turn.finished`
 * resolve.
 *
 * ```ts
 * const session = await agent.resumeSession({ sessionId, cwd, replayFrom: { type: "start" } });
 * const store = createSessionState(session);
 * store.subscribe(() => render(store.state));
 * ```
 *
 * @throws {UsageError} if you pass a `state` for a session that replays its history, or one that has itself been JSON.
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
  return followSession<AnyEvent, AnyState>(session, reduceSession, initialState(), options);
}

type UnstableSession = ObservableSession<UnstableStateTypes["update"], UnstableStateTypes["idle"]>;
