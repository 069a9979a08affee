import { RequestError } from "@acp/core";
import { pageSessions } from "@acp/core/sessions";
import type { ListSessionsResponse } from "@acp/schema/v1";

import { type Conversation, createConversation } from "./conversation.ts";

/** The conversations of this process, open in a session or not. They end with the process. */
export class ConversationStore<Update> {
  readonly #conversations = new Map<string, Conversation<Update>>();

  create(id: string, cwd: string): Conversation<Update> {
    const conversation = createConversation<Update>(id, cwd);
    this.#conversations.set(id, conversation);
    return conversation;
  }

  /**
   * Opens one again, in the directory that is asked for (SESS-25).
   *
   * @throws {RequestError} `-32002` if there is none (SESS-26).
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
   * A page of the list, the latest first. Conversations without a prompt are left out.
   *
   * @throws {RequestError} `-32602` for a cursor that is none of ours.
   */
  list(cwd: string | null | undefined, cursor: string | null | undefined): ListSessionsResponse {
    const sessions = [...this.#conversations.values()]
      .filter(({ title }) => title !== undefined)
      .toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())
      .map(({ id, cwd: directory, title, updatedAt }) => ({
        sessionId: id,
        cwd: directory,
        ...(title === undefined ? {} : { title }),
        updatedAt: updatedAt.toISOString(),
      }));
    return pageSessions(sessions, { cwd: cwd ?? null, cursor: cursor ?? null });
  }
}
