import type { Received } from "@acp/schema/v1/types";
import type { Received as Unstable } from "@acp/schema/v1/unstable/types";
import type { SessionEvent, SessionObserver } from "../../v1/session-event.ts";
import { follow } from "../shared/follow.ts";
import { reduceSession } from "./reduce-session.ts";
import { type AnyEvent, type AnyState, initialState, type SessionState } from "./session-state.ts";
import type { TimelineItem, UnstableTimelineItem } from "./timeline-items.ts";

/** What a store listens to: a `ClientSession`, or anything else that tells its events. */
export interface ObservableSession<Update = Received.SessionUpdate, Response = Received.PromptResponse> {
  /** Whether it tells its whole history, as a session that is loaded does. Default: `false`. */
  readonly replaysHistory?: boolean;
  /** Calls `observer` with what has happened so far, as far as it is known, and with every event from then on. */
  readonly observe: (observer: SessionObserver<Update, Response>) => () => void;
}

/** The state of a session as it goes on. */
export interface SessionStore<Item extends UnstableTimelineItem = TimelineItem, Response = Received.PromptResponse> {
  /** The state now. */
  readonly state: SessionState<Item, Response>;
  /**
   * Calls `listener` right after each change of the state. Returns a function that ends it. It needs no `this`, so it can
   * be passed on. What a listener throws, or rejects with, becomes a diagnostic of type `observer-failed`.
   */
  readonly subscribe: (listener: () => void) => () => void;
  /** Stops following the session: the state stays as it is. */
  readonly close: () => void;
}

/** Options of {@link createSessionState}. */
export interface SessionStoreOptions<
  Update = Received.SessionUpdate,
  Response = Received.PromptResponse,
  Item extends UnstableTimelineItem = TimelineItem,
> {
  /**
   * The state to go on from: what `reduceSession` makes of events that an earlier program has saved. It is for a session
   * that is resumed. One that is loaded tells its whole history again, and takes no state.
   *
   * What still runs in it is ended first, since nobody is left who could: its turns have failed with a
   * `ConnectionClosedError`, and its tool calls are `cancelled`. `onEvent` gets the events of that too, but no old ones, and
   * new turns have numbers behind those of the state. So save what it gets behind what was saved.
   *
   * ```ts
   * const state = saved.reduce(reduceSession, initialState());
   * const session = await agent.resumeSession({ sessionId, cwd });
   * const store = createSessionState(session, { state, onEvent: save });
   * ```
   */
  readonly state?: SessionState<Item, Response> | undefined;
  /**
   * Called with every event before the state changes. Save the events, and `reduceSession` makes the same state of them.
   *
   * They can be saved as JSON, or sent to another process as JSON. Two things change on the way: the `error` of a turn that
   * has failed becomes a plain object, with name and message if it is an `AcpError`, and parts of an unknown kind inside an
   * update, such as a content block, become `{ received }`. Their tag is a symbol, which JSON leaves out and
   * `structuredClone` refuses.
   */
  // The type of a method: a listener for the stable protocol serves for the unstable one, too.
  readonly onEvent?: { on(event: SessionEvent<Update, Response>): void }["on"] | undefined;
}

/**
 * Follows a session: its updates, also while it is loaded, and what this client does with it: prompts, cancels, changes
 * of mode and options.
 *
 * Make it right after the session was opened, before anything else is awaited: then it misses nothing. Made later it has
 * no history; if nobody else has taken that, a diagnostic of type `unobserved-updates` tells. The state is up to date
 * before a handler of `session/update` runs, and when `turn.response` resolves.
 *
 * ```ts
 * const session = await agent.loadSession({ sessionId, cwd });
 * const store = createSessionState(session);
 * store.subscribe(() => render(store.state));
 * ```
 *
 * @throws {UsageError} if there is a `state` for a session that is loaded, or one that has itself been JSON.
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
  return follow<AnyEvent, AnyState>(session, reduceSession, initialState(), options);
}
