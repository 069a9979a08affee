import type { Received } from "@acp/schema/v1/types";
import type { Received as Unstable } from "@acp/schema/v1/unstable/types";
import type { SessionEvent } from "../../v1/session-event.ts";
import { followSession, type Observable, type Store, type StoreOptions } from "../shared/session-store.ts";
import { reduceSession } from "./reduce-session.ts";
import { type AnyEvent, type AnyState, initialState, type SessionState } from "./session-state.ts";
import type { TimelineItem, UnstableTimelineItem } from "./timeline-items.ts";

/** What a store observes: a `ClientSession`, or anything else that emits its events. */
export interface ObservableSession<
  Update = Received.SessionUpdate,
  Response = Received.PromptResponse,
> extends Observable<SessionEvent<Update, Response>> {}

/** The state of a session as it goes on. */
export interface SessionStore<
  Item extends UnstableTimelineItem = TimelineItem,
  Response = Received.PromptResponse,
> extends Store<SessionState<Item, Response>> {}

/** Options of {@link createSessionState}. */
export interface SessionStoreOptions<
  Update = Received.SessionUpdate,
  Response = Received.PromptResponse,
  Item extends UnstableTimelineItem = TimelineItem,
> extends StoreOptions<SessionState<Item, Response>, SessionEvent<Update, Response>> {}

/**
 * Follows a session: its updates, also while it is loaded, and this client's prompts, cancels, and changes of mode and
 * options.
 *
 * Create the store right after the session was opened, before you await anything else: then it misses nothing. A store
 * created later has no history, but the latest of what tells of the session: commands, options, usage, title, mode. If
 * nobody else has taken the history, a diagnostic of type `unobserved-updates` reports that. The state is up to date before a handler of `session/update` runs, and when `turn.response` resolves.
 *
 * ```ts
 * const session = await agent.loadSession({ sessionId, cwd });
 * const store = createSessionState(session);
 * store.subscribe(() => render(store.state));
 * ```
 *
 * @throws {UsageError} if you pass a `state` for a session that is loaded, or one that has itself been JSON.
 */
export function createSessionState(session: ObservableSession, options?: SessionStoreOptions): SessionStore;
export function createSessionState(
  session: ObservableSession<Unstable.SessionUpdate, Unstable.PromptResponse>,
  options?: SessionStoreOptions<Unstable.SessionUpdate, Unstable.PromptResponse, UnstableTimelineItem>,
): SessionStore<UnstableTimelineItem, Unstable.PromptResponse>;
export function createSessionState(
  session: ObservableSession<Unstable.SessionUpdate, Unstable.PromptResponse>,
  options?: SessionStoreOptions<Unstable.SessionUpdate, Unstable.PromptResponse, UnstableTimelineItem>,
): SessionStore<UnstableTimelineItem, Unstable.PromptResponse> {
  return followSession<AnyEvent, AnyState>(session, reduceSession, initialState(), options);
}
