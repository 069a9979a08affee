import type { ListSessionsResponse, Received, SessionInfo } from "@acp/schema/v1/types";
import { RequestError, UsageError } from "../../base/errors.ts";

/** Options of {@link pageSessions}. */
export interface PageSessionsOptions {
  /** How many sessions a page has, `Infinity` for all (LIST-08). Default: 50. */
  readonly pageSize?: number | undefined;
}

/**
 * The answer to `session/list`: one page of the sessions of the directory that is asked for (LIST-02), or of all if none
 * is. An empty list if none fit (LIST-04).
 *
 * ```ts
 * "session/list": (params) => pageSessions(all, params),
 * ```
 *
 * Pass all sessions, sorted the same way each time. A session that is added or deleted between two pages does not make
 * another one appear twice or go missing: the cursor names the two sessions before the next page and the two after it. Only
 * where all four are gone, the list starts over.
 *
 * @throws {RequestError} `-32602` for a cursor that this function has not made (LIST-07).
 * @throws {UsageError} for a page size that is no whole number from 1 on, nor `Infinity`.
 */
export function pageSessions(
  sessions: readonly SessionInfo[],
  { cwd, cursor }: Pick<Received.ListSessionsRequest, "cwd" | "cursor">,
  options?: PageSessionsOptions,
): ListSessionsResponse {
  const pageSize = options?.pageSize ?? 50;
  if (!(pageSize >= 1) || (!Number.isInteger(pageSize) && pageSize !== Infinity)) {
    throw new UsageError(`pageSize is ${pageSize}; expected a whole number from 1 on, or Infinity`);
  }
  const fitting = cwd == null ? sessions : sessions.filter((session) => session.cwd === cwd);
  const start = cursor == null ? 0 : startAt(fitting, readCursor(cursor));
  const end = start + pageSize;
  const page = fitting.slice(start, end);
  if (end >= fitting.length) return { sessions: page };
  const idsOf = (some: readonly SessionInfo[]): string[] => some.map(({ sessionId }) => sessionId);
  const place: Place = [idsOf(page.slice(-neighbours)), idsOf(fitting.slice(end, end + neighbours))];
  return { sessions: page, nextCursor: encodeURIComponent(JSON.stringify(place)) };
}

/** How many sessions on either side a cursor names: all of them would make it as large as a page. */
const neighbours = 2;

/** The ids of sessions right before a page, and of those that it began with. */
type Place = readonly [before: readonly string[], after: readonly string[]];

/** Where the next page starts. */
function startAt(sessions: readonly SessionInfo[], [before, after]: Place): number {
  const indexesOf = (ids: readonly string[]): number[] =>
    ids.map((id) => sessions.findIndex(({ sessionId }) => sessionId === id));
  // The last of them: one that was used meanwhile may have moved to the front.
  const start = Math.max(...indexesOf(before)) + 1;
  return start > 0 ? start : (indexesOf(after).find((index) => index >= 0) ?? 0);
}

function readCursor(cursor: string): Place {
  let value: unknown;
  try {
    value = JSON.parse(decodeURIComponent(cursor));
  } catch {
    // Told below.
  }
  if (Array.isArray(value) && value.length === 2) {
    const [before, after]: readonly unknown[] = value;
    if (isIds(before) && isIds(after)) return [before, after];
  }
  throw RequestError.invalidParams("Not a cursor of this agent", {
    path: "/cursor",
    reason: "is no cursor of this list",
  });
}

function isIds(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.length <= neighbours && value.every((id) => typeof id === "string");
}
