import type { SessionUpdate } from "@acp/schema/v2/types";

/** The update of a whole message, for each kind of its chunks. */
const wholes = {
  user_message_chunk: "user_message",
  agent_message_chunk: "agent_message",
  agent_thought_chunk: "agent_thought",
} as const;

/**
 * What is replayed of a session while it is resumed. Chunks are added to what a client has of their message, and it may have
 * all of it. So a message that is put together from its beginning by chunks begins with an update that empties it ("Replay" in
 * the draft).
 */
export class Replay {
  readonly #begun = new Set<string>();

  /** What has to be sent before this update. */
  before(update: SessionUpdate): SessionUpdate | undefined {
    // In JavaScript it may be anything, which is told where it is sent.
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
