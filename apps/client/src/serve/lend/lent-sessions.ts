import { realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";

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

/**
 * Refuses directories of a session outside of the one that is lent.
 *
 * @throws {RequestError} `-32602`
 */
export async function requireInside(lent: string, directories: readonly string[]): Promise<void> {
  for (const directory of directories) {
    if (isAbsolute(directory) && (await leadsInside(lent, directory))) continue;
    throw RequestError.invalidParams(
      `A session cannot work in ${directory}: it has to be an existing folder below ${lent}, which this server lends`,
    );
  }
}

/** Follows links. What does not exist is not inside. */
async function leadsInside(lent: string, directory: string): Promise<boolean> {
  try {
    const path = relative(await realpath(lent), await realpath(directory));
    return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  } catch {
    return false;
  }
}
