import { pageSessions } from "@acp/core/sessions";
import type { ListSessionsResponse, Received } from "@acp/schema/v1/types";

import type { SessionStore } from "./session-store.ts";

/**
 * Answers `session/list`, of either version of the protocol: a page of the sessions with a title, the latest first.
 *
 * ```ts
 * "session/list": (params) => listStored(store, params),
 * ```
 *
 * A session gets its title from its first prompt: those without one have nothing to go back to.
 *
 * @throws {RequestError} `-32602` for an invalid cursor.
 */
export async function listStored(
  store: Pick<SessionStore<never>, "list">,
  { cwd, cursor }: Pick<Received.ListSessionsRequest, "cwd" | "cursor">,
): Promise<ListSessionsResponse> {
  const sessions = await store.list();
  const shown = sessions
    .flatMap(({ title, ...session }) => (title === undefined ? [] : [{ ...session, title }]))
    .toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())
    .map(({ updatedAt, ...session }) => ({ ...session, updatedAt: updatedAt.toISOString() }));
  return pageSessions(shown, { cwd: cwd ?? null, cursor: cursor ?? null });
}
