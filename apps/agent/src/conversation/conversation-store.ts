import { RequestError } from "@acp/core";
import type { ListSessionsResponse } from "@acp/schema/v1";

import { type Conversation, createConversation } from "./conversation.ts";

const pageSize = 50;

/** The conversations of this process, open in a session or not. They end with the process. */
export class ConversationStore {
  readonly #conversations = new Map<string, Conversation>();

  create(id: string, cwd: string): Conversation {
    const conversation = createConversation(id, cwd);
    this.#conversations.set(id, conversation);
    return conversation;
  }

  /**
   * Opens one again, in the directory that is asked for (SESS-25).
   *
   * @throws {RequestError} `-32002` if there is none (SESS-26).
   */
  reopen(id: string, cwd: string): Conversation {
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
    const start = cursor === null || cursor === undefined ? 0 : Number(cursor);
    if (!Number.isSafeInteger(start) || start < 0) throw RequestError.invalidParams("Not a cursor of this agent");
    const all = [...this.#conversations.values()]
      .filter((one) => one.title !== undefined && (cwd === null || cwd === undefined || one.cwd === cwd))
      .toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime());
    const end = start + pageSize;
    return {
      sessions: all.slice(start, end).map(({ id, cwd: directory, title, updatedAt }) => ({
        sessionId: id,
        cwd: directory,
        ...(title === undefined ? {} : { title }),
        updatedAt: updatedAt.toISOString(),
      })),
      ...(end < all.length ? { nextCursor: String(end) } : {}),
    };
  }
}
