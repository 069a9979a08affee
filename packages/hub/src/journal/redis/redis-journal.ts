import { createHash } from "node:crypto";
import { requireArgument } from "@acp/core/internal";
import { createClient, type RedisClientType } from "@redis/client";

import { changeDescription } from "../change-description.ts";
import type { Cursor } from "../cursor.ts";
import type {
  Claim,
  Held,
  Journal,
  ListedSession,
  Milliseconds,
  Page,
  SessionDescription,
  SessionFilter,
  StoredCommand,
  Write,
  WriteResult,
} from "../journal.ts";
import { formatPage, isListed, type ListedAt, pageSize, parsePage } from "../listing.ts";
import { placeOf } from "../place.ts";
import { requireCompacted, requireWrite } from "../require-write.ts";
import {
  appendScript,
  changedScript,
  changeScript,
  claimScript,
  commandsScript,
  compactScript,
  createScript,
  readScript,
  releaseScript,
  removeScript,
  renewScript,
  sendScript,
  settleScript,
} from "./scripts.ts";

/** Options of {@link createRedisJournal}. */
export interface RedisJournalOptions {
  /** What the keys of this hub begin with. Default: `acp-hub`. */
  readonly prefix?: string | undefined;
}

/** The longest wait until a broken connection is made again, in milliseconds. */
const longestRetry = 1000;
/** How much longer than by this clock something may have taken, in milliseconds. */
const clockRoom = 5000;
/** How many sessions of a list are looked at in one go. */
const listStep = 500;

/**
 * Keeps sessions in Redis, for any number of processes and machines. Leases last by the time of the server. Entries are as
 * durable as the server: with `appendfsync everysec`, its default with an append-only file, a crash of its machine may lose the
 * last second, and a failover to a replica what that had not got yet. A keeper whose entries are lost is fenced, and clients that
 * had seen them get everything anew. All keys are on one server: not for Redis Cluster.
 *
 * @param url Such as `redis://user:password@host:6379`.
 */
export function createRedisJournal(url: string, options: RedisJournalOptions = {}): Journal {
  requireArgument(typeof url === "string" && URL.canParse(url), "createRedisJournal() takes the URL of a server", url);
  return new RedisJournal(url, options ?? {});
}

type Client = RedisClientType;

function makeClient(url: string): Client {
  const reconnectStrategy = (retries: number): number => Math.min(50 * 2 ** Math.min(retries, 10), longestRetry);
  const client = createClient({ url, socket: { reconnectStrategy, connectTimeout: 10_000 } });
  // It connects again; whoever waits for an answer gets the error.
  client.on("error", () => {});
  return client;
}

class RedisJournal implements Journal {
  readonly #client: Client;
  readonly #prefix: string;
  readonly #channel: string;
  readonly #watchers = new Set<(sessions: readonly string[]) => void>();
  #connected: Promise<unknown> | undefined;
  #subscriber: Client | undefined;

  constructor(url: string, { prefix = "acp-hub" }: RedisJournalOptions) {
    this.#client = makeClient(url);
    this.#prefix = prefix;
    this.#channel = `${prefix}:changed`;
  }

  async create(session: string, description: SessionDescription): Promise<void> {
    const isNew = await this.#run(createScript, session, JSON.stringify(description));
    if (isNew !== 1) throw new TypeError(`There is a session ${session} already`);
  }

  async claim(session: string, keeper: string, lease: Milliseconds): Promise<Claim | Held | undefined> {
    const claimed = await this.#run(claimScript, session, keeper, String(lease));
    if (!isTexts(claimed)) return undefined;
    const [heldBy = "", epoch, next] = claimed;
    return epoch === undefined ? { heldBy } : { session, keeper, epoch: Number(epoch), next: Number(next) };
  }

  async renew(claims: readonly Claim[], lease: Milliseconds): Promise<readonly Claim[]> {
    const renewed = await Promise.all(
      claims.map((claim) => this.#run(renewScript, claim.session, ...claimArguments(claim), String(lease))),
    );
    return claims.filter((_, index) => renewed[index] !== 1);
  }

  async release(claim: Claim): Promise<void> {
    await this.#run(releaseScript, claim.session, ...claimArguments(claim));
  }

  async append(writes: readonly Write[]): Promise<readonly WriteResult[]> {
    for (const write of writes) requireWrite(write);
    const stored = await Promise.all(
      writes.map(({ claim, from, entries }) =>
        this.#run(appendScript, claim.session, ...claimArguments(claim), String(from), ...entries),
      ),
    );
    return stored.map((one) => (one === 1 ? "done" : "fenced"));
  }

  async read(session: string, after: Cursor | "start", limit: number): Promise<Page | "gone" | undefined> {
    const place = after === "start" ? ["0", "start"] : [String(after.n), String(after.epoch)];
    // Bytes are at least as many as UTF-16 code units.
    const page = await this.#run(readScript, session, ...place, String(limit));
    if (!Array.isArray(page)) return undefined;
    if (page[0] === "gone") return "gone";
    const [epoch, n, more, ...entries] = page as readonly unknown[];
    const texts = entries.map(String);
    const last = texts.at(-1);
    const compacted = n === "" ? undefined : { epoch: Number(epoch), n: Number(n) };
    const behind = after === "start" ? compacted : after;
    return { entries: texts, cursor: last === undefined ? behind : placeOf(last), more: more === 1 };
  }

  watch(wake: (sessions: readonly string[]) => void): () => void {
    // Each call is a watch of its own, also of the same function.
    const watcher = (sessions: readonly string[]): void => wake(sessions);
    this.#watchers.add(watcher);
    this.#subscriber ??= this.#subscribe();
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size > 0) return;
      this.#subscriber?.destroy();
      this.#subscriber = undefined;
    };
  }

  async send(
    session: string,
    key: string,
    command: string,
  ): Promise<{ readonly at: number; readonly isNew: boolean } | undefined> {
    const sent = await this.#run(sendScript, session, key, JSON.stringify([key, command]));
    return Array.isArray(sent) ? { at: Number(sent[0]), isNew: sent[1] === 1 } : undefined;
  }

  async commands(claim: Claim, after: number): Promise<readonly StoredCommand[]> {
    const found = await this.#run(commandsScript, claim.session, ...claimArguments(claim));
    const texts = isTexts(found) ? found : [];
    const all = texts.flatMap((place, index): readonly StoredCommand[] => {
      if (index % 2 === 1 || Number(place) <= after) return [];
      const [key, command] = JSON.parse(texts[index + 1] ?? "[]") as [string, string];
      return [{ at: Number(place), key, command }];
    });
    return all.toSorted((a, b) => a.at - b.at);
  }

  async settle(claim: Claim, places: readonly number[]): Promise<void> {
    await this.#run(settleScript, claim.session, ...claimArguments(claim), ...places.map(String));
  }

  async compact(claim: Claim, upTo: number, entries: readonly string[]): Promise<WriteResult> {
    const compacted = requireCompacted(upTo, entries);
    const result = await this.#run(
      compactScript,
      claim.session,
      ...claimArguments(claim),
      String(upTo),
      ...compacted.flatMap(({ n, text }) => [String(n), text]),
    );
    if (result === "missing") throw new TypeError(`There is no entry ${upTo} to compact up to`);
    return result === "done" ? "done" : "fenced";
  }

  async list(
    filter: SessionFilter,
    page?: string,
  ): Promise<{ readonly sessions: readonly ListedSession[]; readonly next?: string | undefined }> {
    const from = page === undefined ? undefined : parsePage(page);
    const sessions: ListedSession[] = [];
    let last: ListedAt | undefined;
    for await (const at of this.#inOrder(from)) {
      const session = await this.describe(at.session);
      if (session === undefined || !isListed(session, filter)) continue;
      if (last !== undefined && sessions.length === pageSize) return { sessions, next: formatPage(last) };
      sessions.push({ ...session, updatedAt: new Date(at.updatedAt) });
      last = at;
    }
    return { sessions };
  }

  async describe(session: string): Promise<ListedSession | undefined> {
    const client = await this.#connect();
    const found = await client.hmGet(this.#keysOf(session)[0], ["description", "createdAt", "updatedAt"]);
    const [description, createdAt, updatedAt] = found;
    if (description == null) return undefined;
    return {
      ...(JSON.parse(description) as SessionDescription),
      session,
      createdAt: new Date(Number(createdAt)),
      updatedAt: new Date(Number(updatedAt)),
    };
  }

  async change(session: string, change: Partial<SessionDescription>): Promise<void> {
    let known = "";
    let wanted = "";
    for (;;) {
      const now = await this.#run(changeScript, session, known, wanted);
      if (typeof now !== "string" || (known !== "" && now === wanted)) return;
      known = now;
      wanted = JSON.stringify(changeDescription(JSON.parse(known) as SessionDescription, change));
    }
  }

  async remove(session: string): Promise<void> {
    await this.#run(removeScript, session);
  }

  async close(): Promise<void> {
    this.#watchers.clear();
    this.#subscriber?.destroy();
    this.#subscriber = undefined;
    if (this.#client.isOpen) this.#client.destroy();
  }

  /** The sessions of the list behind one, the latest first. */
  async *#inOrder(from: ListedAt | undefined): AsyncGenerator<ListedAt> {
    const client = await this.#connect();
    const start = from === undefined ? "+inf" : from.updatedAt;
    for (let offset = 0; ; offset += listStep) {
      const found = await client.zRangeWithScores(this.#listKey, start, "-inf", {
        BY: "SCORE",
        REV: true,
        LIMIT: { offset, count: listStep },
      });
      for (const { value, score } of found) {
        // Of those of the same time the last ones come first.
        if (from === undefined || score < from.updatedAt || isBefore(value, from.session)) {
          yield { session: value, updatedAt: score };
        }
      }
      if (found.length < listStep) return;
    }
  }

  #subscribe(): Client {
    const subscriber = this.#client.duplicate();
    let deafSince = performance.now();
    const began = (): void => {
      void this.#wakeChanged(performance.now() - deafSince);
      deafSince = performance.now();
    };
    subscriber.on("error", () => {});
    // Again after each break, when it has subscribed anew.
    subscriber.on("ready", began);
    const subscribe = async (): Promise<void> => {
      await subscriber.connect();
      await subscriber.subscribe(this.#channel, (session) => {
        deafSince = performance.now();
        this.#wake([session]);
      });
      began();
    };
    // It is closed, or connects again by itself.
    subscribe().catch(() => {});
    return subscriber;
  }

  #wake(sessions: readonly string[]): void {
    for (const wake of this.#watchers) wake(sessions);
  }

  /** Tells of the sessions that have changed in the last so many milliseconds. */
  async #wakeChanged(milliseconds: number): Promise<void> {
    try {
      const changed = await this.#run(changedScript, "", String(Math.ceil(milliseconds) + clockRoom));
      if (isTexts(changed) && changed.length > 0) this.#wake(changed);
    } catch {
      // Whoever is not told finds it out later.
    }
  }

  get #listKey(): string {
    return `${this.#prefix}:sessions`;
  }

  #keysOf(session: string): readonly [string, string, string, string, string] {
    const key = (kind: string): string => `${this.#prefix}:${kind}:${session}`;
    return [key("session"), key("entries"), key("commands"), key("keys"), this.#listKey];
  }

  /** Runs a script, which the server keeps after the first time. */
  async #run(text: string, session: string, ...more: readonly string[]): Promise<unknown> {
    const client = await this.#connect();
    const options = { keys: [...this.#keysOf(session)], arguments: [session, this.#channel, ...more] };
    try {
      return await client.evalSha(hashOf(text), options);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
      return await client.eval(text, options);
    }
  }

  async #connect(): Promise<Client> {
    this.#connected ??= this.#client.connect();
    try {
      await this.#connected;
      return this.#client;
    } catch (error) {
      this.#connected = undefined;
      throw error;
    }
  }
}

const hashes = new Map<string, string>();

function hashOf(text: string): string {
  const hash = hashes.get(text) ?? createHash("sha1").update(text).digest("hex");
  hashes.set(text, hash);
  return hash;
}

function claimArguments({ keeper, epoch }: Claim): readonly [string, string] {
  return [keeper, String(epoch)];
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

/** Whether an id comes before another one in the order of bytes. */
function isBefore(id: string, other: string): boolean {
  return Buffer.compare(Buffer.from(id), Buffer.from(other)) < 0;
}
