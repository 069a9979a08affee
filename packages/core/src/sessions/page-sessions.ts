import type { ListSessionsResponse, Received, SessionInfo } from "@acp/schema/v1";
import { RequestError } from "../errors.ts";

export interface PageSessionsOptions {
  /** How many sessions a page has (LIST-08). Default: 50. */
  readonly pageSize?: number;
}

/**
 * The answer to `session/list`, cut out of all sessions: those of the directory that is asked for (LIST-02), none
 * if none fit (LIST-04), a page at a time.
 *
 * ```ts
 * "session/list": (params) => pageSessions(all, params),
 * ```
 *
 * `sessions` are in the order of the list; sort them the same way each time. A session that is added or deleted
 * between two pages neither doubles nor hides another one.
 *
 * @throws {RequestError} `-32602` for a cursor that is none of these (LIST-07).
 */
export function pageSessions(
  sessions: readonly SessionInfo[],
  { cwd, cursor }: Pick<Received.ListSessionsRequest, "cwd" | "cursor">,
  { pageSize = 50 }: PageSessionsOptions = {},
): ListSessionsResponse {
  const fitting = cwd == null ? sessions : sessions.filter((session) => session.cwd === cwd);
  const start = cursor == null ? 0 : startAfter(fitting, cursor);
  const page = fitting.slice(start, start + pageSize);
  const end = start + page.length;
  const last = page.at(-1);
  if (last === undefined || end >= fitting.length) return { sessions: [...page] };
  return { sessions: [...page], nextCursor: encodeURIComponent(JSON.stringify([end, last.sessionId])) };
}

/** Where the next page starts: behind the last session of the one before, or where it was if that is gone. */
function startAfter(sessions: readonly SessionInfo[], cursor: string): number {
  const [end, sessionId] = readCursor(cursor);
  const index = sessions.findIndex((session) => session.sessionId === sessionId);
  // Everything behind a session that was deleted has moved up by one.
  return index < 0 ? Math.max(0, end - 1) : index + 1;
}

function readCursor(cursor: string): readonly [end: number, sessionId: string] {
  let value: unknown;
  try {
    value = JSON.parse(decodeURIComponent(cursor));
  } catch {
    // Told below.
  }
  if (Array.isArray(value) && value.length === 2) {
    const [end, sessionId]: readonly unknown[] = value;
    if (typeof end === "number" && Number.isSafeInteger(end) && end > 0 && typeof sessionId === "string") {
      return [end, sessionId];
    }
  }
  throw RequestError.invalidParams("Not a cursor of this agent", {
    path: "/cursor",
    reason: "is no cursor of this list",
  });
}
