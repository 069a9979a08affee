import type { Envelope } from "../envelope.ts";

/** A request of the client. */
interface AskedRequest {
  readonly method: string | undefined;
  readonly sessionId: string | undefined;
}

const endings: readonly (string | undefined)[] = ["session/close", "session/delete"];

/** The sessions that an agent opened on a connection, read from its messages. */
export class OpenedSessions {
  readonly #ids = new Set<string>();

  has(sessionId: string): boolean {
    return this.#ids.has(sessionId);
  }

  /** The agent sends a request or a notification: it knows the session that this is about. */
  said({ sessionId, subagentSession }: Envelope): void {
    if (sessionId !== undefined) this.#ids.add(sessionId);
    if (subagentSession !== undefined) this.#ids.add(subagentSession);
  }

  /** The agent answers a request: with success only if it knows its session. */
  answered({ method, sessionId }: AskedRequest, { isError, openedSession }: Envelope): void {
    if (isError) return;
    if (openedSession !== undefined) this.#ids.add(openedSession);
    if (sessionId === undefined) return;
    if (endings.includes(method)) this.#ids.delete(sessionId);
    else this.#ids.add(sessionId);
  }
}
