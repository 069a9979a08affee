import type { ContentBlock, Received } from "@acp/schema/v1/types";
import type { CommonSessionEvent } from "../session/client/public-members.ts";

/**
 * Something that happens in a session, as its client sees it: a message from the agent, or an action of the client.
 * `Update` and `Response` are the protocol's types of updates and of responses to prompts.
 */
export type SessionEvent<Update = Received.SessionUpdate, Response = Received.PromptResponse> =
  /** The session was opened. After a load, this event comes after the history. */
  | {
      readonly type: "opened";
      /** The modes of the session; `undefined` if it has none. */
      readonly modes: Received.SessionModeState | undefined;
      /** All config options; `undefined` if the session has none. */
      readonly configOptions: readonly Received.SessionConfigOption[] | undefined;
    }
  | CommonSessionEvent<Update, Received.ToolCallUpdate, ContentBlock, Received.SessionConfigOption>
  /** The client cancelled the turn. It keeps running until the agent responds. */
  | { readonly type: "turn_cancelled"; readonly turn: number }
  /** The agent ended the turn. */
  | { readonly type: "turn_ended"; readonly turn: number; readonly response: Response }
  /** The prompt failed: the agent refused it, it could not be sent, or the agent is gone. */
  | { readonly type: "turn_failed"; readonly turn: number; readonly error: unknown }
  /** The agent accepted another mode. */
  | { readonly type: "mode_set"; readonly modeId: string }
  /**
   * The session ended: it was closed, deleted or reopened, or the connection is gone. For each turn that was still
   * running, there is a `turn_failed` before or after this event.
   */
  | { readonly type: "closed" };

/**
 * Called with each event, at once and in order. If it throws or rejects, an `observer-failed` diagnostic reports it.
 */
export type SessionObserver<Update = Received.SessionUpdate, Response = Received.PromptResponse> = (
  event: SessionEvent<Update, Response>,
) => void;
