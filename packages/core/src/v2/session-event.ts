import type { ContentBlock, Received } from "@acp/schema/v2/types";

/**
 * What happens in a session as its client sees it: messages of the agent, and actions of the client itself.
 * `Update` and `Idle` are the updates and the state that ends a turn in the protocol that is spoken.
 */
export type SessionEvent<Update = Received.SessionUpdate, Idle = Received.IdleStateUpdate> =
  /** The session was opened. After a replay it follows the history. */
  | {
      readonly type: "opened";
      /** All config options: of the answer, or of an update before it that the answer does not replace; often none. */
      readonly configOptions: readonly Received.SessionConfigOption[];
      /** All commands, in the same way. */
      readonly commands: readonly Received.AvailableCommand[];
    }
  /** An update has arrived, and those before it are handled. */
  | { readonly type: "update"; readonly update: Update }
  /** The agent asks for permission for a tool call. The call may be new or changed, and counts like an update. */
  | { readonly type: "permission_requested"; readonly toolCall: Received.ToolCallUpdate }
  /** A prompt is being sent. */
  | {
      readonly type: "turn_started";
      /** Names the turn in later events: a number that no other turn of the session has. */
      readonly turn: number;
      readonly prompt: readonly ContentBlock[];
    }
  /** The agent has made the prompt part of the conversation, as a message with this id. */
  | { readonly type: "turn_accepted"; readonly turn: number; readonly messageId: string }
  /** The client has sent `session/cancel`, which applies to all work in progress, and to each prompt that was sent. */
  | { readonly type: "cancelled" }
  /** The work of the prompt is over: `idle` is the state that the agent has sent. */
  | { readonly type: "turn_ended"; readonly turn: number; readonly idle: Idle }
  /** The prompt failed: it was refused, could not be sent, or the agent is gone. */
  | { readonly type: "turn_failed"; readonly turn: number; readonly error: unknown }
  /** The agent has agreed to another value of an option, and sent all options as they are then. */
  | { readonly type: "config_options_set"; readonly configOptions: readonly Received.SessionConfigOption[] }
  /**
   * The session has ended: it was closed, deleted or opened again, or the connection is gone. For each turn that still
   * ran there is a `turn_failed` or `turn_ended`, before or after this event.
   */
  | { readonly type: "closed" };

/** Called with events at once, in order. If it throws or rejects, a diagnostic of type `observer-failed` reports it. */
export type SessionObserver<Update = Received.SessionUpdate, Idle = Received.IdleStateUpdate> = (
  event: SessionEvent<Update, Idle>,
) => void;

/** The source of a session's state: a session, or anything else that emits its events. */
export interface ObservableSession<Update = Received.SessionUpdate, Idle = Received.IdleStateUpdate> {
  /** Whether it emits its whole history, as a session that is resumed with `replayFrom` does. Default: `false`. */
  readonly replaysHistory?: boolean;
  /** Calls `observer` with the known events so far, and with every later event. Returns a function that unsubscribes it. */
  readonly observe: (observer: SessionObserver<Update, Idle>) => () => void;
}
