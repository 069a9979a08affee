import { changeDescription } from "./change-description.ts";
import type { Cursor } from "./cursor.ts";
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
} from "./journal.ts";
import { compareListed, formatPage, isListed, pageSize, parsePage } from "./listing.ts";
import { placeOf } from "./place.ts";
import { type CompactedEntry, requireCompacted, requireWrite } from "./require-write.ts";

/** Options of {@link createMemoryJournal}. */
export interface MemoryJournalOptions {
  /** The time in milliseconds since 1970, for leases and lists. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Keeps sessions in the memory of this process, for as long as it runs: for tests, and where nothing has to last. */
export function createMemoryJournal(options: MemoryJournalOptions = {}): Journal {
  return new MemoryJournal(options?.now ?? Date.now);
}

interface StoredSession {
  description: SessionDescription;
  readonly createdAt: number;
  updatedAt: number;
  epoch: number;
  /** Who may write. */
  holder: { readonly keeper: string; until: number } | undefined;
  entries: CompactedEntry[];
  /** The last entry that was compacted: a reader that has come so far goes on behind it. */
  compacted: Cursor | undefined;
  /** The number of the next entry. */
  next: number;
  commands: readonly StoredCommand[];
  lastCommand: number;
}

class MemoryJournal implements Journal {
  readonly #now: () => number;
  readonly #sessions = new Map<string, StoredSession>();
  readonly #watchers = new Set<(sessions: readonly string[]) => void>();

  constructor(now: () => number) {
    this.#now = now;
  }

  async create(session: string, description: SessionDescription): Promise<void> {
    if (this.#sessions.has(session)) throw new TypeError(`There is a session ${session} already`);
    const now = this.#now();
    this.#sessions.set(session, {
      description: structuredClone(description),
      createdAt: now,
      updatedAt: now,
      epoch: 0,
      holder: undefined,
      entries: [],
      compacted: undefined,
      next: 1,
      commands: [],
      lastCommand: 0,
    });
    this.#wake([session]);
  }

  async claim(session: string, keeper: string, lease: Milliseconds): Promise<Claim | Held | undefined> {
    const stored = this.#sessions.get(session);
    if (stored === undefined) return undefined;
    const { holder } = stored;
    // The same keeper asks again when it got no answer.
    if (holder !== undefined && holder.until > this.#now() && holder.keeper !== keeper)
      return { heldBy: holder.keeper };
    stored.epoch += 1;
    stored.holder = { keeper, until: this.#now() + lease };
    return { session, keeper, epoch: stored.epoch, next: stored.next };
  }

  async renew(claims: readonly Claim[], lease: Milliseconds): Promise<readonly Claim[]> {
    return claims.filter((claim) => {
      const stored = this.#held(claim);
      if (stored?.holder === undefined) return true;
      stored.holder.until = this.#now() + lease;
      return false;
    });
  }

  async release(claim: Claim): Promise<void> {
    const stored = this.#held(claim);
    if (stored !== undefined) stored.holder = undefined;
  }

  async append(writes: readonly Write[]): Promise<readonly WriteResult[]> {
    for (const write of writes) requireWrite(write);
    const results = writes.map((write) => this.#append(write));
    this.#wake(writes.filter((_, index) => results[index] === "done").map(({ claim }) => claim.session));
    return results;
  }

  async read(session: string, after: Cursor | "start", limit: number): Promise<Page | "gone" | undefined> {
    const stored = this.#sessions.get(session);
    if (stored === undefined) return undefined;
    const { entries, compacted } = stored;
    const first = after === "start" ? 0 : indexBehind(after, entries, compacted);
    if (first === undefined) return "gone";
    let end = first;
    for (let size = 0; end < entries.length; end++) {
      size += entries[end]?.text.length ?? 0;
      if (size > limit && end > first) break;
    }
    const last = entries[end - 1] ?? compacted;
    return {
      entries: entries.slice(first, end).map(({ text }) => text),
      cursor: end === first && after !== "start" ? after : last && { epoch: last.epoch, n: last.n },
      more: end < entries.length,
    };
  }

  watch(wake: (sessions: readonly string[]) => void): () => void {
    // Each call is a watch of its own, also of the same function.
    const watcher = (sessions: readonly string[]): void => wake(sessions);
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  async send(
    session: string,
    key: string,
    command: string,
  ): Promise<{ readonly at: number; readonly isNew: boolean } | undefined> {
    const stored = this.#sessions.get(session);
    if (stored === undefined) return undefined;
    const waiting = stored.commands.find((one) => one.key === key);
    if (waiting !== undefined) return { at: waiting.at, isNew: false };
    stored.lastCommand += 1;
    stored.commands = [...stored.commands, { at: stored.lastCommand, key, command }];
    this.#wake([session]);
    return { at: stored.lastCommand, isNew: true };
  }

  async commands(claim: Claim, after: number): Promise<readonly StoredCommand[]> {
    return this.#held(claim)?.commands.filter(({ at }) => at > after) ?? [];
  }

  async settle(claim: Claim, places: readonly number[]): Promise<void> {
    const stored = this.#held(claim);
    if (stored !== undefined) stored.commands = stored.commands.filter(({ at }) => !places.includes(at));
  }

  async compact(claim: Claim, upTo: number, entries: readonly string[]): Promise<WriteResult> {
    const compacted = requireCompacted(upTo, entries);
    const stored = this.#held(claim);
    if (stored === undefined) return "fenced";
    if (upTo >= stored.next) throw new TypeError(`There is no entry ${upTo} to compact up to`);
    const last = stored.entries.find(({ n }) => n === upTo);
    // What was compacted further already stays so.
    if (last !== undefined && upTo > (stored.compacted?.n ?? 0)) stored.compacted = { epoch: last.epoch, n: upTo };
    stored.entries = [...compacted, ...stored.entries.filter(({ n }) => n > upTo)];
    return "done";
  }

  async list(
    filter: SessionFilter,
    page?: string,
  ): Promise<{ readonly sessions: readonly ListedSession[]; readonly next?: string | undefined }> {
    const from = page === undefined ? undefined : parsePage(page);
    const found = [...this.#sessions]
      .filter(([, { description }]) => isListed(description, filter))
      .map(([session, { updatedAt }]) => ({ session, updatedAt }))
      .filter((at) => from === undefined || compareListed(from, at) < 0)
      .toSorted(compareListed);
    const shown = found.slice(0, pageSize);
    const last = found.length > pageSize ? shown.at(-1) : undefined;
    return {
      sessions: shown.flatMap(({ session }) => this.#describe(session) ?? []),
      next: last && formatPage(last),
    };
  }

  async describe(session: string): Promise<ListedSession | undefined> {
    return this.#describe(session);
  }

  async change(session: string, change: Partial<SessionDescription>): Promise<void> {
    const stored = this.#sessions.get(session);
    if (stored === undefined) return;
    stored.description = changeDescription(stored.description, structuredClone(change));
    stored.updatedAt = this.#now();
    this.#wake([session]);
  }

  async remove(session: string): Promise<void> {
    if (this.#sessions.delete(session)) this.#wake([session]);
  }

  async close(): Promise<void> {
    this.#watchers.clear();
  }

  #append({ claim, from, entries }: Write): WriteResult {
    const stored = this.#held(claim);
    if (stored === undefined || from > stored.next) return "fenced";
    const added = entries.slice(stored.next - from).map((text) => ({ ...placeOf(text), text }));
    if (added.length === 0) return "done";
    for (const entry of added) stored.entries.push(entry);
    stored.next += added.length;
    stored.updatedAt = this.#now();
    return "done";
  }

  /** The session of a claim that still holds. */
  #held({ session, keeper, epoch }: Claim): StoredSession | undefined {
    const stored = this.#sessions.get(session);
    return stored?.epoch === epoch && stored.holder?.keeper === keeper ? stored : undefined;
  }

  #describe(session: string): ListedSession | undefined {
    const stored = this.#sessions.get(session);
    if (stored === undefined) return undefined;
    const { description, createdAt, updatedAt } = stored;
    return {
      ...structuredClone(description),
      session,
      createdAt: new Date(createdAt),
      updatedAt: new Date(updatedAt),
    };
  }

  #wake(sessions: readonly string[]): void {
    if (sessions.length === 0) return;
    // Later, so that what a watcher throws is not mistaken for a failed write.
    for (const wake of this.#watchers) queueMicrotask(() => this.#watchers.has(wake) && wake(sessions));
  }
}

/** The index of the first entry behind a place; `undefined` if there is no such place. */
function indexBehind(
  { epoch, n }: Cursor,
  entries: readonly CompactedEntry[],
  compacted: Cursor | undefined,
): number | undefined {
  const index = entries.findLastIndex((entry) => entry.n <= n);
  const isThere = entries[index]?.n === n && entries[index].epoch === epoch;
  return isThere || (compacted?.n === n && compacted.epoch === epoch) ? index + 1 : undefined;
}
