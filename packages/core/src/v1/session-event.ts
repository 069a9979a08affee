import type { ContentBlock, Received } from "@acp/schema/v1/types";

/**
 * What happens in a session as its client sees it: messages of the agent, and actions of the client itself.
 * `Update` and `Response` are the updates and the answers to prompts in the protocol that is spoken.
 */
export type SessionEvent<Update = Received.SessionUpdate, Response = Received.PromptResponse> =
  /** The session was opened, with the contents of the answer. After a load it follows the history. */
  | {
      readonly type: "opened";
      /** The modes of the session; `undefined` if it has none. */
      readonly modes: Received.SessionModeState | undefined;
      /** All config options; `undefined` if the session has none. */
      readonly configOptions: readonly Received.SessionConfigOption[] | undefined;
    }
  /** An update has arrived, and those before it are handled. */
  | { readonly type: "update"; readonly update: Update }
  /** The agent asks for permission for a tool call. The call may be new or changed. */
  | { readonly type: "permission_requested"; readonly toolCall: Received.ToolCallUpdate }
  /** A prompt is being sent. */
  | {
      readonly type: "turn_started";
      /** Names the turn in later events: a number that no other turn of the session has. */
      readonly turn: number;
      readonly prompt: readonly ContentBlock[];
    }
  /** The client has cancelled the turn; it still runs until the agent answers. */
  | { readonly type: "turn_cancelled"; readonly turn: number }
  /** The agent has answered. */
  | { readonly type: "turn_ended"; readonly turn: number; readonly response: Response }
  /** The prompt failed: it was refused, could not be sent, or the agent is gone. */
  | { readonly type: "turn_failed"; readonly turn: number; readonly error: unknown }
  /** The agent has agreed to another mode. */
  | { readonly type: "mode_set"; readonly modeId: string }
  /** The agent has agreed to another value of an option, and sent all options as they are then (CONF-14). */
  | { readonly type: "config_options_set"; readonly configOptions: readonly Received.SessionConfigOption[] }
  /**
   * The session has ended: it was closed, deleted or opened again, or the connection is gone. For each turn that still
   * ran there is a `turn_failed`, before or after this event.
   */
  | { readonly type: "closed" };

/** Called with events at once, in order. If it throws or rejects, a diagnostic of type `observer-failed` reports it. */
export type SessionObserver<Update = Received.SessionUpdate, Response = Received.PromptResponse> = (
  event: SessionEvent<Update, Response>,
) => void;
