import type { ContentBlock, Received } from "@acp/schema/v2/types";
import type { CommonSessionEvent } from "../session/client/public-members.ts";

/**
 * Something that happens in a session, as its client sees it: a message from the agent, or an action of the client.
 * `Update` and `Idle` are the protocol's types of updates and of the state that ends a turn.
 */
export type SessionEvent<Update = Received.SessionUpdate, Idle = Received.IdleStateUpdate> =
  /** The session was opened. After a replay, this event comes after the history. */
  | {
      readonly type: "opened";
      /** All config options: from the response, or from an earlier update that the response does not replace. */
      readonly configOptions: readonly Received.SessionConfigOption[];
      /** All commands, in the same way. */
      readonly commands: readonly Received.AvailableCommand[];
    }
  | CommonSessionEvent<Update, Received.ToolCallUpdate, ContentBlock, Received.SessionConfigOption>
  /** The agent accepted the prompt into the conversation, as a message with this id. */
  | { readonly type: "turn_accepted"; readonly turn: number; readonly messageId: string }
  /** The client sent `session/cancel`, which applies to all work in progress and to every prompt that was sent. */
  | { readonly type: "cancelled" }
  /** The work of the prompt ended. `idle` is the state that the agent sent. */
  | { readonly type: "turn_ended"; readonly turn: number; readonly idle: Idle }
  /** The prompt failed: the agent refused it, it could not be sent, or the agent is gone. */
  | { readonly type: "turn_failed"; readonly turn: number; readonly error: unknown }
  /**
   * The session ended: it was closed, deleted or reopened, or the connection is gone. For each turn that was still
   * running, there is a `turn_failed` or `turn_ended` before or after this event.
   */
  | { readonly type: "closed" };

/**
 * Called with each event, at once and in order. If it throws or rejects, an `observer-failed` diagnostic reports it.
 */
export type SessionObserver<Update = Received.SessionUpdate, Idle = Received.IdleStateUpdate> = (
  event: SessionEvent<Update, Idle>,
) => void;

/** The source of a session's state: a session, or anything else that emits its events. */
export interface ObservableSession<Update = Received.SessionUpdate, Idle = Received.IdleStateUpdate> {
  /** Whether it emits its whole history, like a session that is resumed with `replayFrom`. Default: `false`. */
  readonly replaysHistory?: boolean;
  /**
   * Calls `observer` with the events so far, and with every later event. Returns a function that unsubscribes the
   * observer.
   */
  readonly observe: (observer: SessionObserver<Update, Idle>) => () => void;
}
