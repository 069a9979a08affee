import type { Received } from "@acp/schema/v1";
import type { Received as Unstable } from "@acp/schema/v1/unstable";
import type { SessionEvent, SessionObserver } from "../v1/session-event.ts";
import { reduceSession } from "./reduce-session.ts";
import { type AnyEvent, type AnyState, initialState, type SessionState } from "./session-state.ts";
import type { TimelineItem, UnstableTimelineItem } from "./timeline-items.ts";

/** What a store listens to: a `ClientSession`, or anything else that tells its events. */
export interface ObservableSession<Update = Received.SessionUpdate, Response = Received.PromptResponse> {
  /** Tells all events from now on, and those that led here as far as they are known. Returns what ends it. */
  readonly observe: (observer: SessionObserver<Update, Response>) => () => void;
}

/** The state of a session as it goes on. */
export interface SessionStore<Item extends UnstableTimelineItem = TimelineItem, Response = Received.PromptResponse> {
  /** The state now. */
  readonly state: SessionState<Item, Response>;
  /**
   * Calls `listener` after each change, at once; whoever shows it may wait for the next frame. Returns what ends it.
   * Needs no `this`: it can be passed on. What it throws is told to the diagnostics as `observer-failed`.
   */
  readonly subscribe: (listener: () => void) => () => void;
  /** Ends it: the state stays as it is. */
  readonly close: () => void;
}

/** What a store can do beside. */
export interface SessionStoreOptions<Update = Received.SessionUpdate, Response = Received.PromptResponse> {
  /**
   * Is told every event before the state changes: keep them, and `reduceSession` makes the same state of them.
   *
   * They may be kept as JSON. What has no form there changes: the `error` of a turn that has failed, and parts of an
   * unknown kind inside an update, as a content block, which become `{ received }` without their mark. That mark is a
   * symbol, which `structuredClone` refuses.
   */
  onEvent?(event: SessionEvent<Update, Response>): void;
}

/**
 * Follows a session: its updates, also while it is loaded, and what this client does with it: prompts, cancels, changes
 * of mode and options.
 *
 * Make it right after the session was opened, before anything else is awaited, and it has all of it. Made later it has
 * no history, which is told as `unobserved-updates` if nobody else has taken it. It is up to date before a handler of
 * `session/update` runs, and when `turn.response` resolves.
 *
 * ```ts
 * const session = await agent.loadSession({ sessionId, cwd });
 * const store = createSessionState(session);
 * store.subscribe(() => render(store.state));
 * ```
 */
export function createSessionState(session: ObservableSession, options?: SessionStoreOptions): SessionStore;
export function createSessionState(
  session: ObservableSession<Unstable.SessionUpdate, Unstable.PromptResponse>,
  options?: SessionStoreOptions<Unstable.SessionUpdate, Unstable.PromptResponse>,
): SessionStore<UnstableTimelineItem, Unstable.PromptResponse>;
export function createSessionState(
  session: ObservableSession<Unstable.SessionUpdate, Unstable.PromptResponse>,
  options: SessionStoreOptions<Unstable.SessionUpdate, Unstable.PromptResponse> = {},
): SessionStore<UnstableTimelineItem, Unstable.PromptResponse> {
  const listeners = new Set<{ readonly listener: () => void }>();
  let state: AnyState = initialState();
  const close = session.observe((event: AnyEvent) => {
    const failures: unknown[] = [];
    guard(failures, () => options.onEvent?.(event));
    const before = state;
    state = reduceSession(before, event);
    if (state !== before) for (const { listener } of listeners) guard(failures, listener);
    // The session tells its diagnostics of what an observer throws.
    if (failures.length > 1) throw new AggregateError(failures, `${failures.length} listeners failed`);
    if (failures.length > 0) throw failures[0];
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

/** One listener that throws must not keep the event from the state or from the others. */
function guard(failures: unknown[], listener: () => void): void {
  try {
    listener();
  } catch (error) {
    failures.push(error);
  }
}
