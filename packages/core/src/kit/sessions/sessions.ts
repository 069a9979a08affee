/**
 * Lists of sessions: a client reads all pages, an agent splits a list into pages.
 *
 * @module
 */
import type { AgentMethods, ListSessionsResponse, Received, SessionInfo } from "@acp/schema/v1/types";
import { ProtocolError, RequestError, UsageError } from "../../base/errors.ts";
import type { Peer } from "../../rpc/peer.ts";
import { requireArgument, requireObject } from "../../base/require-argument.ts";

/** How many pages without a session may follow one another. */
const maxEmptyPages = 100;

/** Options of {@link listSessions}. */
export interface ListSessionsOptions {
  /** List only sessions with this working directory, an absolute path (LIST-02). Default: all sessions. */
  readonly cwd?: string | undefined;
  /** Abort it to stop the iteration, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Iterates over the sessions that an agent knows. It requests pages as the loop needs them, and none after you leave
 * the loop. Each session is as the agent reports it; nothing is merged with earlier reports (LIST-11).
 *
 * ```ts
 * for await (const { sessionId, title } of listSessions(agent, { cwd })) console.log(sessionId, title);
 * ```
 *
 * @throws {CapabilityError} the agent cannot list sessions (LIST-01); nothing was sent.
 * @throws {ProtocolError} the list does not end: a cursor repeats, or 100 pages in a row are empty.
 * @throws what {@link Peer.request} throws.
 */
export async function* listSessions(
  agent: Peer<Pick<AgentMethods, "session/list">>,
  options?: ListSessionsOptions,
): AsyncGenerator<Received.SessionInfo, void, undefined> {
  requireObject(agent, "listSessions() takes an agent first", "request");
  const { cwd, signal } = options ?? {};
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let emptyPages = 0;
  for (;;) {
    const params = { ...(cwd == null ? {} : { cwd }), ...(cursor === undefined ? {} : { cursor }) };
    // Each request needs the cursor of the page before.
    const { sessions, nextCursor } = await agent.request("session/list", params, { signal });
    yield* sessions;
    emptyPages = sessions.length === 0 ? emptyPages + 1 : 0;
    // A cursor is sent back unchanged (LIST-06). Only a missing one or `null` is the end (LIST-05), an empty one is not.
    cursor = nextCursor ?? undefined;
    if (cursor === undefined) return;
    if (cursors.has(cursor) || emptyPages === maxEmptyPages) {
      const reason = emptyPages === maxEmptyPages ? `follows ${emptyPages} empty pages` : "has led to a page before";
      throw new ProtocolError("session/list", ["result", "nextCursor"], `${reason}: the list would never end`);
    }
    cursors.add(cursor);
  }
}

/** Options of {@link pageSessions}. */
export interface PageSessionsOptions {
  /** The number of sessions per page (LIST-08). Default: 50. `Infinity` for all. */
  readonly pageSize?: number | undefined;
}

/**
 * Returns the result of `session/list`: one page of the sessions in the requested directory (LIST-02), or of all
 * sessions if the request names no directory. The page is empty if no session matches (LIST-04).
 *
 * ```ts
 * "session/list": (params) => pageSessions(all, params),
 * ```
 *
 * Pass all sessions, always in the same order. If a session is added or deleted between two pages, no other session
 * appears twice or goes missing: the cursor contains the ids of the two sessions before the next page and the two after
 * it. The list starts over only if all four are gone.
 *
 * @throws {RequestError} `-32602` if this function did not create the cursor (LIST-07).
 * @throws {UsageError} the page size is not a whole number from 1 or `Infinity`.
 */
export function pageSessions(
  sessions: readonly SessionInfo[],
  params: Pick<Received.ListSessionsRequest, "cwd" | "cursor">,
  options?: PageSessionsOptions,
): ListSessionsResponse {
  requireArgument(Array.isArray(sessions), "pageSessions() takes a list of sessions first", sessions);
  requireObject(params, "pageSessions() takes the params of session/list second");
  const { cwd, cursor } = params;
  const pageSize = options?.pageSize ?? 50;
  if (!(pageSize >= 1) || (!Number.isInteger(pageSize) && pageSize !== Infinity)) {
    throw new UsageError(`pageSize is ${String(pageSize)}; expected a whole number from 1 on, or Infinity`);
  }
  const wanted = cwd == null ? cwd : withoutSlash(cwd);
  const fitting = wanted == null ? sessions : sessions.filter((session) => withoutSlash(session.cwd) === wanted);
  const start = cursor == null ? 0 : findStart(fitting, readCursor(cursor));
  const end = start + pageSize;
  const page = fitting.slice(start, end);
  if (end >= fitting.length) return { sessions: page };
  const idsOf = (some: readonly SessionInfo[]): string[] => some.map(({ sessionId }) => sessionId);
  const place: Place = [idsOf(page.slice(-neighbours)), idsOf(fitting.slice(end, end + neighbours))];
  return { sessions: page, nextCursor: encodeURIComponent(JSON.stringify(place)) };
}

/** The same directory with and without a slash at its end. What links lead to only an agent with files knows. */
const withoutSlash = (path: string): string => path.replace(/[\\/]+$/, "");

/** How many sessions a cursor names on either side. With all of them it would be as large as a page. */
const neighbours = 2;

/** The ids of the sessions right before a page, and of its first ones. */
type Place = readonly [before: readonly string[], after: readonly string[]];

/** The index of the first session of the next page. */
function findStart(sessions: readonly SessionInfo[], [before, after]: Place): number {
  const findIndexes = (ids: readonly string[]): number[] =>
    ids.map((id) => sessions.findIndex(({ sessionId }) => sessionId === id));
  // After the last of them: another may have moved to the front, because it was used meanwhile.
  const start = Math.max(...findIndexes(before)) + 1;
  return start > 0 ? start : (findIndexes(after).find((index) => index >= 0) ?? 0);
}

function readCursor(cursor: string): Place {
  let value: unknown;
  try {
    value = JSON.parse(decodeURIComponent(cursor));
  } catch {
    // Reported below.
  }
  if (Array.isArray(value) && value.length === 2) {
    const [before, after]: readonly unknown[] = value;
    if (isIds(before) && isIds(after)) return [before, after];
  }
  const details = { path: "/cursor", reason: "is no cursor of this list" };
  throw RequestError.invalidParams("Not a cursor of this agent", details);
}

function isIds(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.length <= neighbours && value.every((id) => typeof id === "string");
}
