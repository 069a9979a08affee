import { RequestError } from "@acp/core";

import type { HostSession } from "#runtime";

interface LentSession extends HostSession {
  readonly end: AbortController;
}

/** The sessions of a connection, with the directories that the client has named. */
export class LentSessions {
  readonly #sessions = new Map<string, LentSession>();

  /** Adds a session, or one that is opened again. */
  open(id: string, cwd: string, additionalDirectories: readonly string[]): void {
    this.close(id);
    const end = new AbortController();
    this.#sessions.set(id, { id, cwd, additionalDirectories, signal: end.signal, end });
  }

  /** @throws {RequestError} `-32002` if the client has not opened it. */
  get(id: string): HostSession {
    const session = this.#sessions.get(id);
    if (session === undefined) throw RequestError.resourceNotFound(`The client has no session ${id}`);
    return session;
  }

  /** Ends a session, and with it its terminals. */
  close(id: string): void {
    this.#sessions.get(id)?.end.abort(new Error("The session has ended"));
    this.#sessions.delete(id);
  }

  closeAll(): void {
    for (const id of this.#sessions.keys()) this.close(id);
  }
}
