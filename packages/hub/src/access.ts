import { RequestError } from "@acp/core";

import type { ListedSession, Journal, SessionFilter } from "./journal/journal.ts";
import { formatPage, pageSize } from "./journal/listing.ts";
import { type Act, allActs, type HubUser, type May, ownersMay } from "./rights.ts";
import type { Shares } from "./shares/shares.ts";

/** What deciding about rights takes. */
export interface AccessParts {
  readonly journal: Journal;
  readonly shares: Shares;
  /** The option of this name. */
  readonly may: May | undefined;
}

/** Decides what users may do. Nobody learns of a session that they may not watch. */
export class Access {
  readonly #parts: AccessParts;
  /** Descriptions that are being read: a thousand clients that ask at once need one. */
  readonly #reading = new Map<string, Promise<ListedSession | undefined>>();

  constructor(parts: AccessParts) {
    this.#parts = parts;
  }

  /**
   * Lets the user do something with a session.
   *
   * @throws {RequestError} they may not; as if there were no such session if they may not watch it either.
   */
  async allow(user: HubUser | undefined, id: string, act: Act): Promise<ListedSession> {
    const session = await this.#describe(id);
    const acts = session === undefined ? [] : this.acts(user, session);
    if (session === undefined || !acts.includes("watch"))
      throw RequestError.resourceNotFound(`No such session: ${id}`, { sessionId: id });
    if (!acts.includes(act))
      throw RequestError.invalidParams(`You may not do this in the session: you may ${acts.join(", ")}`, {
        sessionId: id,
        act,
      });
    return session;
  }

  /** Whether the user may do something with a session. */
  async may(user: HubUser | undefined, id: string, act: Act): Promise<boolean> {
    const session = await this.#describe(id);
    return session !== undefined && this.acts(user, session).includes(act);
  }

  /** Everything that the user may do with a session. */
  acts(user: HubUser | undefined, description: ListedSession): readonly Act[] {
    const { shares, may = ownersMay } = this.#parts;
    if (user?.share !== undefined) return shares.actsIn(description, user.share);
    const { session: id, owner, agent, cwd } = description;
    // Only `true` is a yes, which the promise of an async function is not.
    return allActs.filter((act) => (may({ user, act, session: { id, owner, agent, cwd } }) as unknown) === true);
  }

  /** A page of the sessions that the user may watch. Its end tells nothing of others. */
  async list(user: HubUser | undefined, filter: SessionFilter, page?: string): ReturnType<Journal["list"]> {
    const { journal, may } = this.#parts;
    if (user?.share !== undefined) return { sessions: await this.#shared(user, user.share.session, filter) };
    const owner = may === undefined && user !== undefined ? { owner: user.id } : {};
    const found: ListedSession[] = [];
    for (let next = page; ;) {
      const read = await journal.list({ ...filter, ...owner }, next);
      found.push(...read.sessions.filter((session) => this.acts(user, session).includes("watch")));
      next = read.next;
      if (next === undefined && found.length <= pageSize) return { sessions: found };
      if (found.length >= pageSize) break;
    }
    const sessions = found.slice(0, pageSize);
    const last = sessions.at(-1);
    return { sessions, next: last && formatPage({ session: last.session, updatedAt: last.updatedAt.getTime() }) };
  }

  async #shared(user: HubUser, id: string, { cwd }: SessionFilter): Promise<readonly ListedSession[]> {
    const session = await this.#describe(id);
    if (session === undefined || !this.acts(user, session).includes("watch")) return [];
    return cwd === undefined || cwd === session.cwd ? [session] : [];
  }

  #describe(id: string): Promise<ListedSession | undefined> {
    const reading = this.#reading.get(id) ?? this.#parts.journal.describe(id);
    if (!this.#reading.has(id)) {
      this.#reading.set(id, reading);
      const end = (): void => void this.#reading.delete(id);
      reading.then(end, end);
    }
    return reading;
  }
}
