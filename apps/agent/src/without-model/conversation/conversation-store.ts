import { RequestError } from "@acp/core";
import type { ListSessionsResponse } from "@acp/schema/v1";
import { listStored } from "@acp/sessions";

import { type Conversation, createConversation } from "./conversation.ts";

/** All conversations, open in a session or not. They are in memory, and end with the process. */
export class ConversationStore<Update> {
  readonly #conversations = new Map<string, Conversation<Update>>();

  create(id: string, cwd: string): Conversation<Update> {
    const conversation = createConversation<Update>(id, cwd);
    this.#conversations.set(id, conversation);
    return conversation;
  }

  /**
   * Opens a conversation again, in the directory that the client requests (SESS-25).
   *
   * @throws {RequestError} `-32002` if there is no conversation with this id (SESS-26).
   */
  reopen(id: string, cwd: string): Conversation<Update> {
    const conversation = this.#conversations.get(id);
    if (conversation === undefined) throw RequestError.resourceNotFound(`No such session: ${id}`, { sessionId: id });
    conversation.cwd = cwd;
    return conversation;
  }

  delete(id: string): void {
    this.#conversations.delete(id);
  }

  /**
   * Returns a page of the list, the latest first. It omits conversations without a prompt.
   *
   * @throws {RequestError} `-32602` for an invalid cursor.
   */
  list(cwd: string | null | undefined, cursor: string | null | undefined): Promise<ListSessionsResponse> {
    const sessions = [...this.#conversations.values()].map(({ id, cwd: directory, title, updatedAt }) => ({
      sessionId: id,
      cwd: directory,
      title,
      updatedAt,
    }));
    return listStored({ list: () => Promise.resolve(sessions) }, { cwd: cwd ?? null, cursor: cursor ?? null });
  }
}
