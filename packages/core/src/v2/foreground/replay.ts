import type { SessionUpdate } from "@acp/schema/v2/types";

/** The update of a whole message, for each kind of its chunks. */
const wholes = {
  user_message_chunk: "user_message",
  agent_message_chunk: "agent_message",
  agent_thought_chunk: "agent_thought",
} as const;

/**
 * The history that a session repeats while it is resumed. A client adds chunks to the message that it has, which may be
 * complete. So before the first chunk of a message, an update has to empty the message ("Replay" in the draft).
 */
export class Replay {
  readonly #begun = new Set<string>();

  /** The update that has to be sent before this one. */
  before(update: SessionUpdate): SessionUpdate | undefined {
    // In JavaScript it may be anything; the sender reports that.
    switch (update?.sessionUpdate) {
      case "user_message":
      case "agent_message":
      case "agent_thought":
        if (update.content !== undefined) this.#begun.add(`${update.sessionUpdate} ${update.messageId}`);
        return undefined;
      case "user_message_chunk":
      case "agent_message_chunk":
      case "agent_thought_chunk": {
        const { messageId } = update;
        const sessionUpdate = wholes[update.sessionUpdate];
        const key = `${sessionUpdate} ${messageId}`;
        if (this.#begun.has(key)) return undefined;
        this.#begun.add(key);
        return { sessionUpdate, messageId, content: [] };
      }
      default:
        return undefined;
    }
  }
}
