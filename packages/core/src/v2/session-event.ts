import type { ContentBlock, Received } from "@acp/schema/v2/types";

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
  /** An update arrived, and all earlier ones are handled. */
  | { readonly type: "update"; readonly update: Update }
  /** The agent asks for permission for a tool call. The call may be new or changed, and counts like an update. */
  | { readonly type: "permission_requested"; readonly toolCall: Received.ToolCallUpdate }
  /** A prompt is being sent. */
  | {
      readonly type: "turn_started";
      /** Identifies the turn in later events. Unique in the session. */
      readonly turn: number;
      readonly prompt: readonly ContentBlock[];
    }
  /** The agent accepted the prompt into the conversation, as a message with this id. */
  | { readonly type: "turn_accepted"; readonly turn: number; readonly messageId: string }
  /** The client sent `session/cancel`, which applies to all work in progress and to every prompt that was sent. */
  | { readonly type: "cancelled" }
  /** The work of the prompt ended. `idle` is the state that the agent sent. */
  | { readonly type: "turn_ended"; readonly turn: number; readonly idle: Idle }
  /** The prompt failed: the agent refused it, it could not be sent, or the agent is gone. */
  | { readonly type: "turn_failed"; readonly turn: number; readonly error: unknown }
  /** The agent accepted a new value of an option, and sent all options with their current values. */
  | { readonly type: "config_options_set"; readonly configOptions: readonly Received.SessionConfigOption[] }
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
