import { UsageError } from "@acp/core";
import { randomId } from "@acp/core/internal";

import type { Clock } from "../clock.ts";
import type { Journal, ListedSession } from "../journal/journal.ts";
import type { Act, HubUser, UsedShare } from "../rights.ts";
import {
  actsOf,
  factOf,
  isShareLevel,
  type Share,
  type ShareLevel,
  type StoredShare,
  storedShares,
  toShare,
} from "./share.ts";
import { createSecret, formatToken, hashSecret, isSameHash, parseToken } from "./token.ts";

/** How to share a session. */
export interface ShareOptions {
  /** What the holder of the token may do. Whoever may `control` can run what the agent can. */
  readonly may: ShareLevel;
  /** When it ends. Default: in 7 days. */
  readonly expires?: Date | undefined;
  /** How others see its holder. Default: `guest`. */
  readonly name?: string | undefined;
}

/** A new share, with its token: it is not stored, and cannot be read again. */
export interface NewShare extends Share {
  readonly token: string;
}

/** What ends when a share does. */
export interface Endable {
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

const week = 7 * 24 * 60 * 60 * 1000;
/** How often to look whether the shares of open connections still count, in milliseconds. */
const lookTime = 500;

/** The shares of sessions, and the connections that were opened with them. */
export class Shares {
  readonly #journal: Journal;
  readonly #clock: Clock;
  /** Those that were revoked here: they end in the same moment, however slow the journal is. */
  readonly #revoked = new Set<string>();
  readonly #open = new Map<string, Map<Endable, UsedShare>>();
  #stopLooking: (() => void) | undefined;

  constructor(journal: Journal, clock: Clock) {
    this.#journal = journal;
    this.#clock = clock;
  }

  async create(session: string, { may, expires, name = "guest" }: ShareOptions): Promise<NewShare> {
    if (!isShareLevel(may)) throw new UsageError(`A share is for "watch", "answer" or "control", not ${String(may)}`);
    const createdAt = this.#clock.now();
    const end = expires?.getTime() ?? createdAt + week;
    if (!(end > createdAt)) throw new UsageError(`A share ends later than now, not at ${String(expires)}`);
    const secret = createSecret();
    const stored = { id: randomId(), hash: await hashSecret(secret), may, createdAt, expires: end, name };
    await this.#change(session, { [factOf(stored.id)]: stored });
    return { ...toShare(stored), token: formatToken({ session, secret }) };
  }

  async list(session: string): Promise<readonly Share[]> {
    const description = await this.#journal.describe(session);
    return description === undefined ? [] : this.#valid(description).map(toShare);
  }

  /** Ends a share, and the connections that were opened with it. */
  async revoke(session: string, id: string): Promise<void> {
    this.#revoked.add(id);
    const ended = this.#endWhere(session, (share) => share.id !== id);
    await this.#change(session, { [factOf(id)]: null });
    await ended;
  }

  /** The user that a token stands for; `undefined` if it is none, was revoked, or has expired. */
  async userOf(token: string): Promise<HubUser | undefined> {
    const parsed = typeof token === "string" ? parseToken(token) : undefined;
    if (parsed === undefined) return undefined;
    const { session, secret } = parsed;
    const hash = await hashSecret(secret);
    const description = await this.#journal.describe(session);
    if (description === undefined) return undefined;
    const found = this.#valid(description).filter((share) => isSameHash(share.hash, hash));
    return found[0] && { id: `share:${found[0].id}`, name: found[0].name, share: { id: found[0].id, session } };
  }

  /** What the holder of a share may do with a session. */
  actsIn(description: ListedSession, { id, session }: UsedShare): readonly Act[] {
    const share = session === description.session ? this.#valid(description).find((one) => one.id === id) : undefined;
    return share === undefined ? [] : actsOf(share.may);
  }

  /** Ends a connection as soon as its share ends, which another process may cause. */
  endWithShare(share: UsedShare, connection: Endable): void {
    const { session } = share;
    const open = this.#open.get(session) ?? new Map<Endable, UsedShare>();
    this.#open.set(session, open.set(connection, share));
    void connection.closed.then(() => {
      open.delete(connection);
      if (open.size === 0 && this.#open.get(session) === open) this.#open.delete(session);
    });
    void this.#look(session);
    this.#lookLater();
  }

  close(): void {
    this.#open.clear();
    this.#stopLooking?.();
    this.#stopLooking = undefined;
  }

  #lookLater(): void {
    this.#stopLooking ??= this.#clock.after(lookTime, () => {
      this.#stopLooking = undefined;
      for (const session of this.#open.keys()) void this.#look(session);
      if (this.#open.size > 0) this.#lookLater();
    });
  }

  async #look(session: string): Promise<void> {
    try {
      const description = await this.#journal.describe(session);
      const valid = description === undefined ? [] : this.#valid(description).map(({ id }) => id);
      await this.#endWhere(session, ({ id }) => valid.includes(id));
    } catch {
      // A journal that cannot be read is read again the next time.
    }
  }

  async #endWhere(session: string, counts: (share: UsedShare) => boolean): Promise<void> {
    const ended = [...(this.#open.get(session) ?? [])].filter(([, share]) => !counts(share));
    await Promise.all(ended.map(([connection]) => connection.close()));
  }

  #valid(description: ListedSession): readonly StoredShare[] {
    const now = this.#clock.now();
    return storedShares(description).filter(({ id, expires }) => expires > now && !this.#revoked.has(id));
  }

  /** Changes shares of a session, and forgets those that have expired. */
  async #change(session: string, facts: { readonly [name: string]: StoredShare | null }): Promise<void> {
    const description = await this.#journal.describe(session);
    if (description === undefined) throw new UsageError(`The hub has no session ${session}`);
    const expired = storedShares(description).filter(({ expires }) => expires <= this.#clock.now());
    const forgotten = Object.fromEntries(expired.map(({ id }) => [factOf(id), null]));
    await this.#journal.change(session, { more: { ...forgotten, ...facts } });
  }
}
