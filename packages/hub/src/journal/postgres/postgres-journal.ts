import { requireArgument } from "@acp/core/internal";
import { Client, Pool, type PoolClient, type QueryResultRow } from "pg";

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
import { formatPage, pageSize, parsePage } from "../listing.ts";
import { requireCompacted, requireWrite } from "../require-write.ts";
import { Batcher } from "./batcher.ts";
import { Listener } from "./listener.ts";
import { type Names, namesIn, now, schemaText } from "./schema.ts";
import { type Statements, statementsFor } from "./statements.ts";

/** Options of {@link createPostgresJournal}. */
export interface PostgresJournalOptions {
  /** The schema that has the tables. It is made when it is needed. Default: `acp_hub`. */
  readonly schema?: string | undefined;
  /** How many connections this process uses at most, besides the one for notifications. Default: 4. */
  readonly connections?: number | undefined;
}

/** How long a statement may take before its caller gets an error, in milliseconds. */
const longestQuery = 30_000;
/** How much longer than by this clock something may have taken, in milliseconds. */
const clockRoom = 5000;
/** What a notification holds, in UTF-16 code units: PostgreSQL takes 8,000 bytes. */
const longestPayload = 2000;

/**
 * Keeps sessions in PostgreSQL, for any number of processes and machines. Entries are on the server's disk when `append`
 * resolves. Leases last by the time of the server.
 *
 * @param url Such as `postgres://user:password@host/database`.
 */
export function createPostgresJournal(url: string, options: PostgresJournalOptions = {}): Journal {
  requireArgument(typeof url === "string", "createPostgresJournal() takes the URL of a database", url);
  return new PostgresJournal(url, options ?? {});
}

interface ListedRow {
  readonly id: string;
  readonly description: string;
  readonly created_at: string;
  readonly updated_at: string;
}

class PostgresJournal implements Journal {
  readonly #names: Names;
  readonly #statements: Statements;
  readonly #pool: Pool;
  readonly #connect: () => Client;
  readonly #batcher = new Batcher((writes) => this.#append(writes));
  readonly #watchers = new Set<(sessions: readonly string[]) => void>();
  #listener: Listener | undefined;
  #ready: Promise<unknown> | undefined;

  constructor(connectionString: string, { schema = "acp_hub", connections = 4 }: PostgresJournalOptions) {
    this.#names = namesIn(schema);
    this.#statements = statementsFor(this.#names);
    this.#pool = new Pool({
      connectionString,
      max: connections,
      allowExitOnIdle: true,
      connectionTimeoutMillis: longestQuery,
      query_timeout: longestQuery,
    });
    // A connection that breaks while nobody uses it is replaced.
    this.#pool.on("error", () => {});
    this.#connect = () => new Client({ connectionString, keepAlive: true });
  }

  async create(session: string, description: SessionDescription): Promise<void> {
    const { agent, cwd, owner = null } = description;
    const made = await this.#query(this.#statements.create, [session, agent, cwd, owner, JSON.stringify(description)]);
    if (made.length === 0) throw new TypeError(`There is a session ${session} already`);
    await this.#notify(session);
  }

  async claim(session: string, keeper: string, lease: Milliseconds): Promise<Claim | Held | undefined> {
    for (;;) {
      const [claimed] = await this.#query<ClaimRow>(this.#statements.claim, [session, keeper, lease]);
      if (claimed !== undefined) {
        return { session, keeper, epoch: Number(claimed.epoch), next: Number(claimed.next) };
      }
      const [held] = await this.#query<{ keeper: string | null }>(
        `select keeper from ${this.#names.sessions} where id = $1`,
        [session],
      );
      if (held === undefined) return undefined;
      // Released meanwhile, if there is none.
      if (held.keeper !== null) return { heldBy: held.keeper };
    }
  }

  async renew(claims: readonly Claim[], lease: Milliseconds): Promise<readonly Claim[]> {
    const rows = await this.#query<{ id: string; epoch: string }>(this.#statements.renew, [
      claims.map(({ session }) => session),
      claims.map(({ keeper }) => keeper),
      claims.map(({ epoch }) => epoch),
      lease,
    ]);
    const kept = new Set(rows.map(({ id, epoch }) => `${epoch} ${id}`));
    return claims.filter(({ session, epoch }) => !kept.has(`${epoch} ${session}`));
  }

  async release(claim: Claim): Promise<void> {
    await this.#query(this.#statements.release, claimParameters(claim));
  }

  async append(writes: readonly Write[]): Promise<readonly WriteResult[]> {
    for (const write of writes) requireWrite(write);
    return await this.#batcher.add(writes);
  }

  async read(session: string, after: Cursor | "start", limit: number): Promise<Page | "gone" | undefined> {
    const isStart = after === "start";
    const { n, epoch } = isStart ? { n: 0, epoch: 0 } : after;
    const rows = await this.#query<PageRow>(this.#statements.read, [session, n, epoch, isStart, limit]);
    const [first] = rows;
    if (first === undefined) return undefined;
    if (!first.found) return "gone";
    const entries = rows.flatMap((row) => (row.text === null ? [] : [row.text]));
    const last = rows.at(-1);
    const behind = isStart ? cursorOf(first.compacted_epoch, first.compacted_n) : after;
    return { entries, cursor: cursorOf(last?.epoch, last?.n) ?? behind, more: (last?.following ?? null) !== null };
  }

  watch(wake: (sessions: readonly string[]) => void): () => void {
    // Each call is a watch of its own, also of the same function.
    const watcher = (sessions: readonly string[]): void => wake(sessions);
    this.#watchers.add(watcher);
    this.#listener ??= new Listener(this.#connect, this.#names.channel, {
      told: (payload) => this.#wake(JSON.parse(payload) as readonly string[]),
      began: (missed) => void this.#wakeChanged(missed),
    });
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size > 0) return;
      void this.#listener?.close();
      this.#listener = undefined;
    };
  }

  async send(
    session: string,
    key: string,
    command: string,
  ): Promise<{ readonly at: number; readonly isNew: boolean } | undefined> {
    const { sessions, commands } = this.#names;
    for (;;) {
      const stored = [session, JSON.stringify(key), JSON.stringify(command)];
      const [sent] = await this.#query<{ at: string }>(this.#statements.send, [...stored, payloadsOf([session])]);
      if (sent !== undefined) return { at: Number(sent.at), isNew: true };
      const [found] = await this.#query<{ at: string | null }>(
        `select c.at from ${sessions} s left join ${commands} c on c.session = s.id and c.key = $2 where s.id = $1`,
        stored.slice(0, 2),
      );
      if (found === undefined) return undefined;
      // Settled meanwhile, if there is none.
      if (found.at !== null) return { at: Number(found.at), isNew: false };
    }
  }

  async commands(claim: Claim, after: number): Promise<readonly StoredCommand[]> {
    const rows = await this.#query<{ at: string; key: string; command: string }>(this.#statements.commands, [
      ...claimParameters(claim),
      after,
    ]);
    return rows.map(({ at, key, command }) => ({
      at: Number(at),
      key: JSON.parse(key) as string,
      command: JSON.parse(command) as string,
    }));
  }

  async settle(claim: Claim, places: readonly number[]): Promise<void> {
    await this.#query(this.#statements.settle, [...claimParameters(claim), places]);
  }

  async compact(claim: Claim, upTo: number, texts: readonly string[]): Promise<WriteResult> {
    const compacted = requireCompacted(upTo, texts);
    const { sessions, entries } = this.#names;
    return await this.#transaction(async (client) => {
      const { rows } = await client.query<{ next: string; compacted_n: string | null; epoch: string | null }>(
        `select s.next, s.compacted_n, (select e.epoch from ${entries} e where e.session = s.id and e.n = $4) as epoch
         from ${sessions} s where s.id = $1 and s.keeper = $2 and s.epoch = $3 for update`,
        [...claimParameters(claim), upTo],
      );
      const [session] = rows;
      if (session === undefined) return "fenced";
      if (upTo >= Number(session.next)) throw new TypeError(`There is no entry ${upTo} to compact up to`);
      // What was compacted further already stays so.
      if (upTo > Number(session.compacted_n ?? 0) && session.epoch !== null) {
        await client.query(`update ${sessions} set compacted_n = $2, compacted_epoch = $3 where id = $1`, [
          claim.session,
          upTo,
          session.epoch,
        ]);
      }
      await client.query(`delete from ${entries} where session = $1 and n <= $2`, [claim.session, upTo]);
      await client.query(
        `insert into ${entries} (session, n, epoch, size, text)
         select $1, * from unnest($2::bigint[], $3::bigint[], $4::integer[], $5::text[])`,
        [
          claim.session,
          compacted.map(({ n }) => n),
          compacted.map(({ epoch }) => epoch),
          compacted.map(({ text }) => text.length),
          compacted.map(({ text }) => text),
        ],
      );
      return "done";
    });
  }

  async list(
    { agent, cwd, owner }: SessionFilter,
    page?: string,
  ): Promise<{ readonly sessions: readonly ListedSession[]; readonly next?: string | undefined }> {
    const from = page === undefined ? undefined : parsePage(page);
    const rows = await this.#query<ListedRow>(this.#statements.list, [
      agent ?? null,
      cwd ?? null,
      owner ?? null,
      from?.updatedAt ?? null,
      from?.session ?? null,
      pageSize + 1,
    ]);
    const shown = rows.slice(0, pageSize);
    const last = rows.length > pageSize ? shown.at(-1) : undefined;
    return {
      sessions: shown.map(listedOf),
      next: last && formatPage({ session: last.id, updatedAt: Number(last.updated_at) }),
    };
  }

  async describe(session: string): Promise<ListedSession | undefined> {
    const [row] = await this.#query<ListedRow>(
      `select id, description, created_at, updated_at from ${this.#names.sessions} where id = $1`,
      [session],
    );
    return row && listedOf(row);
  }

  async change(session: string, change: Partial<SessionDescription>): Promise<void> {
    const { sessions } = this.#names;
    await this.#transaction(async (client) => {
      const { rows } = await client.query<{ description: string }>(
        `select description from ${sessions} where id = $1 for update`,
        [session],
      );
      const [row] = rows;
      if (row === undefined) return;
      const description = changeDescription(JSON.parse(row.description) as SessionDescription, change);
      await client.query(
        `update ${sessions} set agent = $2, cwd = $3, owner = $4, description = $5, updated_at = ${now} where id = $1`,
        [session, description.agent, description.cwd, description.owner ?? null, JSON.stringify(description)],
      );
    });
    await this.#notify(session);
  }

  async remove(session: string): Promise<void> {
    const removed = await this.#query(`delete from ${this.#names.sessions} where id = $1 returning id`, [session]);
    if (removed.length > 0) await this.#notify(session);
  }

  async close(): Promise<void> {
    this.#watchers.clear();
    await this.#listener?.close();
    this.#listener = undefined;
    await this.#pool.end();
  }

  /** Stores writes of different sessions. */
  async #append(writes: readonly Write[]): Promise<readonly WriteResult[]> {
    const rows = writes.flatMap(({ claim, from, entries }) =>
      entries.map((text, index) => ({ session: claim.session, n: from + index, epoch: claim.epoch, text })),
    );
    const own = await this.#query<{ id: string }>(this.#statements.append, [
      writes.map(({ claim }) => claim.session),
      writes.map(({ claim }) => claim.keeper),
      writes.map(({ claim }) => claim.epoch),
      writes.map(({ from }) => from),
      writes.map(({ entries }) => entries.length),
      rows.map(({ session }) => session),
      rows.map(({ n }) => n),
      rows.map(({ epoch }) => epoch),
      rows.map(({ text }) => text.length),
      rows.map(({ text }) => text),
      payloadsOf(writes.map(({ claim }) => claim.session)),
    ]);
    const stored = new Set(own.map(({ id }) => id));
    return writes.map(({ claim }) => (stored.has(claim.session) ? "done" : "fenced"));
  }

  #wake(sessions: readonly string[]): void {
    for (const wake of this.#watchers) wake(sessions);
  }

  /** Tells of the sessions that have changed in the last so many milliseconds, and of those with commands. */
  async #wakeChanged(milliseconds: number): Promise<void> {
    try {
      const rows = await this.#query<{ id: string }>(this.#statements.changed, [Math.ceil(milliseconds) + clockRoom]);
      if (rows.length > 0) this.#wake(rows.map(({ id }) => id));
    } catch {
      // Whoever is not told finds it out later.
    }
  }

  async #notify(session: string): Promise<void> {
    await this.#query(`select pg_notify('${this.#names.channel}', payload) from unnest($1::text[]) payload`, [
      payloadsOf([session]),
    ]);
  }

  async #query<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    await this.#prepare();
    const { rows } = await this.#pool.query<Row>(text, [...values]);
    return rows;
  }

  async #transaction<Result>(run: (client: PoolClient) => Promise<Result>): Promise<Result> {
    await this.#prepare();
    const client = await this.#pool.connect();
    try {
      await client.query("begin");
      const result = await run(client);
      await client.query("commit");
      client.release();
      return result;
    } catch (error) {
      // The server undoes what a connection that ends has begun.
      client.release(true);
      throw error;
    }
  }

  /** Makes the tables, once. */
  async #prepare(): Promise<void> {
    this.#ready ??= this.#pool.query(schemaText(this.#names));
    try {
      await this.#ready;
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
  }
}

interface ClaimRow {
  readonly epoch: string;
  readonly next: string;
}

interface PageRow {
  readonly compacted_epoch: string | null;
  readonly compacted_n: string | null;
  readonly found: boolean;
  readonly n: string | null;
  readonly epoch: string | null;
  readonly text: string | null;
  readonly following: string | null;
}

function claimParameters({ session, keeper, epoch }: Claim): [string, string, number] {
  return [session, keeper, epoch];
}

function cursorOf(epoch: string | null | undefined, n: string | null | undefined): Cursor | undefined {
  return epoch == null || n == null ? undefined : { epoch: Number(epoch), n: Number(n) };
}

function listedOf({ id, description, created_at, updated_at }: ListedRow): ListedSession {
  return {
    ...(JSON.parse(description) as SessionDescription),
    session: id,
    createdAt: new Date(Number(created_at)),
    updatedAt: new Date(Number(updated_at)),
  };
}

/** What notifications say of sessions, each as long as PostgreSQL takes it. Whoever is not told of one finds it out later. */
function payloadsOf(sessions: readonly string[]): readonly string[] {
  const payloads: string[][] = [];
  let room = 0;
  for (const session of sessions) {
    const size = JSON.stringify(session).length + 1;
    if (size > longestPayload) continue;
    if (size > room) {
      payloads.push([]);
      room = longestPayload;
    }
    payloads.at(-1)?.push(session);
    room -= size;
  }
  return payloads.map((payload) => JSON.stringify(payload));
}
