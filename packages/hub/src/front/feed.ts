import { type Clock, sleep } from "../clock.ts";
import { type Cursor, formatCursor } from "../journal/cursor.ts";
import { decodeEntry, type Entry } from "../journal/entry.ts";
import type { Journal } from "../journal/journal.ts";
import { SessionFacts } from "../journal/session-facts.ts";

/** Reading entries, this many UTF-16 code units at a time. */
const pageUnits = 1024 * 1024;
/** How much a client gets of what is not kept, in UTF-16 code units: a client that is slow holds it for long. */
const latePageUnits = 256 * 1024;
/** How many pages of what is not kept are at hand for a moment. */
const keptPages = 4;
/** How much a feed keeps for those who are nearly up to date: entries, and UTF-16 code units of their texts. */
const most = { entries: 2000, units: 2 * 1024 * 1024 };
/** How often a feed looks for entries that nobody has woken it for, in milliseconds. */
const lookTime = 2000;
/** How long a reader rests when the journal cannot be read, in milliseconds. */
const restTime = 500;

/** Why a reader cannot go on: the journal has no such place any more, or the session was deleted. */
export type Lost = "gone" | "deleted";

/** The error for what waits for such a reader. */
export function lostError(lost: Lost): Error {
  return new Error(lost === "deleted" ? "The session was deleted" : "The history of the session was compacted");
}

/**
 * The entries of one session as they come, for all clients of this process: each is read and parsed once. Clients take entries
 * from where they stand, so one that is slow costs the others nothing.
 */
export class Feed {
  readonly session: string;
  readonly facts: SessionFacts = new SessionFacts();
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #end = new AbortController();
  /** Where to read on. */
  #cursor: Cursor | "start" = "start";
  /** The last entries, in order, and the lengths of their texts. */
  #kept: Entry[] = [];
  #lengths: number[] = [];
  #units = 0;
  /** What late clients read: those that come together read the same. */
  readonly #pages = new Map<string, Promise<readonly Entry[] | Lost>>();
  #listeners = new Set<() => void>();
  #reading: Promise<void> | undefined;
  #readAgain = false;
  #lost: Lost | undefined;
  #stopLooking: (() => void) | undefined;

  private constructor(journal: Journal, session: string, clock: Clock) {
    this.#journal = journal;
    this.session = session;
    this.#clock = clock;
  }

  /** Reads a session up to its end. */
  static async open(journal: Journal, session: string, clock: Clock): Promise<Feed> {
    const feed = new Feed(journal, session, clock);
    await feed.read();
    feed.#lookLater();
    return feed;
  }

  /** Why it will get no more entries. */
  get lost(): Lost | undefined {
    return this.#lost;
  }

  close(): void {
    this.#end.abort();
    this.#stopLooking?.();
  }

  /** Calls back whenever there are new entries. Returns what ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves with the first value that `find` returns, now or after further entries. Rejects if the session is lost. */
  async until<T>(find: (facts: SessionFacts) => T | undefined, signal?: AbortSignal): Promise<T> {
    for (;;) {
      const found = find(this.facts);
      if (found !== undefined) return found;
      if (this.#lost !== undefined)
        throw new Error(`The session was ${this.#lost === "deleted" ? "deleted" : "replaced"}`);
      await this.#changed(signal);
    }
  }

  async #changed(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const end = (): void => {
        stop();
        signal?.removeEventListener("abort", abort);
      };
      const abort = (): void => {
        end();
        reject(signal?.reason);
      };
      const stop = this.onChange(() => {
        end();
        resolve();
      });
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  /** The entries behind a cursor, as many as are at hand; empty at the end. `gone` if the journal has no such place. */
  async after(cursor: Cursor | undefined): Promise<readonly Entry[] | Lost> {
    const kept = this.#keptAfter(cursor);
    if (kept !== undefined && kept.length > 0) return kept;
    // Nothing new will come to those who wait here.
    if (this.#lost !== undefined) return this.#lost;
    if (kept !== undefined) return kept;
    const place = cursor === undefined ? "start" : formatCursor(cursor);
    const page = this.#pages.get(place) ?? this.#readLate(cursor);
    this.#pages.set(place, page);
    const [oldest = place] = this.#pages.keys();
    if (this.#pages.size > keptPages) this.#pages.delete(oldest);
    const forget = (): void => void this.#pages.delete(place);
    // At the end of the session, there is more the next time.
    page.then((entries) => {
      if (typeof entries === "string" || entries.length === 0) forget();
    }, forget);
    return await page;
  }

  async #readLate(cursor: Cursor | undefined): Promise<readonly Entry[] | Lost> {
    for (let after: Cursor | "start" = cursor ?? "start"; ;) {
      const page = await this.#journal.read(this.session, after, latePageUnits);
      if (page === undefined) return "deleted";
      if (page === "gone") return "gone";
      const entries = page.entries.map(decodeEntry).filter((entry) => entry !== undefined);
      // Whoever gets entries finds them in the facts.
      if ((entries.at(-1)?.n ?? 0) > (this.facts.cursor?.n ?? 0)) await this.read();
      if (entries.length > 0 || !page.more) return entries;
      after = page.cursor ?? after;
    }
  }

  /** Waits a while, for what goes wrong now and may not go wrong later. */
  rest(signal: AbortSignal): Promise<void> {
    return sleep(this.#clock, restTime, signal);
  }

  /** The entries behind a cursor, if that is a place among those that are kept. */
  #keptAfter(cursor: Cursor | undefined): readonly Entry[] | undefined {
    const kept = this.#kept;
    if (cursor === undefined) return kept[0]?.n === 1 ? [...kept] : undefined;
    let [first, end] = [0, kept.length];
    while (first < end) {
      const middle = (first + end) >> 1;
      if ((kept[middle]?.n ?? 0) < cursor.n) first = middle + 1;
      else end = middle;
    }
    const place = kept[first];
    return place?.n === cursor.n && place.epoch === cursor.epoch ? kept.slice(first + 1) : undefined;
  }

  /** Reads what has been added. */
  read(): Promise<void> {
    this.#readAgain = true;
    this.#reading ??= this.#readAll();
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    try {
      while (this.#readAgain && !this.#end.signal.aborted && this.#lost === undefined) {
        this.#readAgain = false;
        while (await this.#readPage());
      }
    } finally {
      // In the same moment as the last look: what is added from now on begins anew.
      this.#reading = undefined;
    }
  }

  /** Returns whether there is more. */
  async #readPage(): Promise<boolean> {
    const page = await this.#journal.read(this.session, this.#cursor, pageUnits);
    if (page === undefined || page === "gone") {
      this.#lost = page ?? "deleted";
      this.#notify();
      return false;
    }
    this.#cursor = page.cursor ?? this.#cursor;
    this.#take(page.entries);
    return page.more;
  }

  #take(texts: readonly string[]): void {
    if (texts.length === 0) return;
    for (const text of texts) {
      const entry = decodeEntry(text);
      if (entry === undefined) continue;
      this.facts.apply(entry);
      this.#kept.push(entry);
      this.#lengths.push(text.length);
      this.#units += text.length;
    }
    if (this.#kept.length > 2 * most.entries || this.#units > 2 * most.units) this.#drop();
    this.#notify();
  }

  /** Drops the oldest of what is kept. */
  #drop(): void {
    let first = 0;
    for (; this.#kept.length - first > most.entries || this.#units > most.units; first++)
      this.#units -= this.#lengths[first] ?? 0;
    this.#kept = this.#kept.slice(first);
    this.#lengths = this.#lengths.slice(first);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #lookLater(): void {
    this.#stopLooking = this.#clock.after(lookTime, () => {
      if (this.#end.signal.aborted) return;
      this.#pages.clear();
      // A journal that cannot be read is read again the next time.
      void this.read()
        .catch(() => {})
        .finally(() => this.#lookLater());
    });
  }
}
