import type { AgentMethods, Received } from "@acp/schema/v1/types";
import { ProtocolError } from "../../base/errors.ts";
import type { Peer } from "../../rpc/peer.ts";

/** How many pages without a session may follow one another. */
const emptyPages = 100;

/** Options of {@link listSessions}. */
export interface ListSessionsOptions {
  /** Only sessions of this directory; absolute (LIST-02). Default: those of all directories. */
  readonly cwd?: string | undefined;
  /** Gives up: the iteration throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The sessions an agent knows. Pages are asked for as the loop needs them: leave it, and no more are. Each session is as
 * the agent reports it; nothing is merged with what was known before (LIST-11).
 *
 * ```ts
 * for await (const { sessionId, title } of listSessions(agent, { cwd })) console.log(sessionId, title);
 * ```
 *
 * @throws {CapabilityError} the agent has no list (LIST-01); nothing was sent.
 * @throws {ProtocolError} the list does not end: a cursor comes a second time, or 100 pages in a row are empty.
 * @throws what {@link Peer.request} throws.
 */
export async function* listSessions(
  agent: Peer<Pick<AgentMethods, "session/list">>,
  options?: ListSessionsOptions,
): AsyncGenerator<Received.SessionInfo, void, undefined> {
  const { cwd, signal } = options ?? {};
  const seen = new Set<string>();
  let cursor: string | undefined;
  let empty = 0;
  for (;;) {
    const params = { ...(cwd == null ? {} : { cwd }), ...(cursor === undefined ? {} : { cursor }) };
    // A page is asked for by the cursor of the one before.
    const { sessions, nextCursor } = await agent.request("session/list", params, { signal });
    yield* sessions;
    empty = sessions.length === 0 ? empty + 1 : 0;
    // Passed on as it came (LIST-06); missing or null is the end (LIST-05), empty is not.
    cursor = nextCursor ?? undefined;
    if (cursor === undefined) return;
    if (seen.has(cursor) || empty === emptyPages) {
      const reason = empty === emptyPages ? `follows ${emptyPages} empty pages` : "has led to a page before";
      throw new ProtocolError("session/list", ["result", "nextCursor"], `${reason}: the list would never end`);
    }
    seen.add(cursor);
  }
}
