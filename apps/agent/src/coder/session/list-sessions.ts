import { pageSessions } from "@acp/core/sessions";
import type { ListSessionsResponse } from "@acp/schema/v1";

import type { SessionStore } from "./session-store.ts";

/**
 * Returns a page of the list of sessions, the latest first. Sessions without a prompt are left out.
 *
 * @throws {RequestError} `-32602` for an invalid cursor.
 */
export async function listSessions(
  store: SessionStore,
  { cwd, cursor }: { readonly cwd?: string | null; readonly cursor?: string | null },
): Promise<ListSessionsResponse> {
  const sessions = (await store.list())
    .filter(({ title }) => title !== undefined)
    .toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())
    .map(({ title = "", updatedAt, ...session }) => ({ ...session, title, updatedAt: updatedAt.toISOString() }));
  return pageSessions(sessions, { cwd: cwd ?? null, cursor: cursor ?? null });
}
