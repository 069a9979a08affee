import { pageSessions } from "@acp/core/sessions";
import type { ListSessionsResponse, Received } from "@acp/schema/v1/types";

import { createDirectoryNames } from "./same-directory.ts";
import type { SessionStore, SessionSummary } from "./session-store.ts";
import { requireObject } from "@acp/core/internal";

/**
 * Answers `session/list`, of either version of the protocol: a page of the sessions with a title, the latest first.
 *
 * ```ts
 * "session/list": (params) => listStored(store, params),
 * ```
 *
 * With a `cwd` these are the sessions of that directory, whatever path leads to it. A session gets its title from its first prompt: those without one have nothing to go back to.
 *
 * @throws {RequestError} `-32602` for an invalid cursor.
 */
export async function listStored(
  store: Pick<SessionStore<never>, "list">,
  params: Pick<Received.ListSessionsRequest, "cwd" | "cursor">,
): Promise<ListSessionsResponse> {
  requireObject(store, "listStored() takes a store first", "list");
  requireObject(params, "listStored() takes the params of session/list second");
  const { cwd, cursor } = params;
  const all = await store.list();
  const sessions = cwd == null ? all : await inDirectory(all, cwd);
  const shown = sessions
    .flatMap(({ title, ...session }) => (title === undefined ? [] : [{ ...session, title }]))
    .toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime())
    .map(({ updatedAt, ...session }) => ({ ...session, updatedAt: updatedAt.toISOString() }));
  return pageSessions(shown, { cwd: null, cursor: cursor ?? null });
}

async function inDirectory(sessions: readonly SessionSummary[], cwd: string): Promise<readonly SessionSummary[]> {
  const nameOf = createDirectoryNames();
  const wanted = await nameOf(cwd);
  // One directory after another: there are few, and each is looked at once.
  const found: SessionSummary[] = [];
  for (const session of sessions) if ((await nameOf(session.cwd)) === wanted) found.push(session);
  return found;
}
