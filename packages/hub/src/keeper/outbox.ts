import { type Clock, sleep } from "../clock.ts";
import { createDeferred, type Deferred } from "../deferred.ts";
import { encodeEntry, type Entry, type EntryBody } from "../journal/entry.ts";
import type { Claim, Journal, WriteResult } from "../journal/journal.ts";
import { mergeUpdates } from "../journal/merge.ts";

/** What an outbox needs of its keeper. */
export interface OutboxParts {
  readonly journal: Journal;
  readonly claim: Claim;
  readonly clock: Clock;
  /** How long updates may wait for others to be joined with, in milliseconds. */
  readonly mergeTime: number;
  /** How much may wait, in UTF-16 code units, before the agent is no longer read. */
  readonly limit: number;
  /** An entry is stored, whose text is so long. */
  onStored(entry: Entry, units: number): void;
  /** Another keeper has taken the session over: nothing will be stored any more. */
  onFenced(): void;
  /** The journal cannot be written; it is tried again. */
  onFailure(error: unknown): void;
}

interface Waiting {
  readonly body: EntryBody;
  readonly by: string | undefined;
  readonly at: number;
  readonly stored: Deferred<void> | undefined;
  /** Roughly, in UTF-16 code units. */
  readonly size: number;
}

/** How long to wait before a failed write is repeated, in milliseconds: the first time, and at most. */
const retry = { first: 50, longest: 2000 };
/** How much one write has at most, in entries. */
const batchSize = 500;
/** How large an update may become by those that are joined to it, in UTF-16 code units: then it waits for no more. */
const mergeUnits = 32 * 1024;

/** Rejects what waits for an outbox that stores nothing any more. */
class FencedError extends Error {
  override readonly name = "FencedError";

  constructor() {
    super("Another keeper has taken the session over");
  }
}

/** Numbers the entries of a keeper, and writes them in order: what waits meanwhile becomes one write. */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #end = new AbortController();
  #waiting: Waiting[] = [];
  /** Roughly how much waits or is being written, in UTF-16 code units. */
  #size = 0;
  #next: number;
  #writing: Promise<void> | undefined;
  /** Ends the wait for further updates. */
  #hurry: (() => void) | undefined;
  #lastWrite = 0;
  #room: Deferred<void> | undefined;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#next = parts.claim.next;
    this.#lastWrite = parts.clock.now() - parts.mergeTime;
  }

  /** Resolves once the entry is stored: only then may anybody act on it. Rejects if it never will be. */
  add(body: EntryBody, by?: string): Promise<void> {
    const stored = createDeferred<void>();
    // Not every caller waits for it.
    stored.promise.catch(() => {});
    if (this.#end.signal.aborted) stored.reject(new FencedError());
    else this.#push({ body, by, at: this.#parts.clock.now(), stored, size: JSON.stringify(body).length });
    this.#hurry?.();
    return stored.promise;
  }

  /** Adds an update of the agent, which may be joined with those beside it. The promise is pending while too much waits. */
  addUpdate(body: EntryBody, size: number): void | Promise<void> {
    if (this.#end.signal.aborted) return;
    this.#push({ body, by: undefined, at: this.#parts.clock.now(), stored: undefined, size });
    if (this.#size < this.#parts.limit) return;
    this.#room ??= createDeferred();
    return this.#room.promise;
  }

  /** Resolves when all that was added is stored, or never will be. */
  async settled(): Promise<void> {
    this.#hurry?.();
    await this.#writing;
  }

  /** Stores nothing any more. */
  end(): void {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    this.#fail();
  }

  #push(waiting: Waiting): void {
    this.#waiting.push(waiting);
    this.#size += waiting.size;
    this.#writing ??= this.#writeAll();
    if (this.#size >= mergeUnits) this.#hurry?.();
  }

  async #writeAll(): Promise<void> {
    // What is added in the same moment goes along.
    await Promise.resolve();
    while (this.#waiting.length > 0 && !this.#end.signal.aborted) await this.#write();
    // In the same moment as the last look: what is added from now on begins anew.
    this.#writing = undefined;
  }

  async #write(): Promise<void> {
    await this.#gather();
    if (this.#end.signal.aborted) return;
    const batch = this.#waiting.splice(0, batchSize);
    await this.#store(batch);
    for (const { size } of batch) this.#size -= size;
    if (this.#size < this.#parts.limit) {
      this.#room?.resolve();
      this.#room = undefined;
    }
  }

  /** Waits for more updates, unless something else waits, too. */
  async #gather(): Promise<void> {
    const { clock, mergeTime } = this.#parts;
    const wait = this.#lastWrite + mergeTime - clock.now();
    if (wait <= 0 || this.#size >= mergeUnits || this.#waiting.some(({ stored }) => stored !== undefined)) return;
    const hurry = new AbortController();
    this.#hurry = () => hurry.abort();
    this.#end.signal.addEventListener("abort", this.#hurry, { once: true });
    await sleep(clock, wait, hurry.signal);
    this.#end.signal.removeEventListener("abort", this.#hurry);
    this.#hurry = undefined;
  }

  async #store(batch: readonly Waiting[]): Promise<void> {
    const { claim, onStored } = this.#parts;
    const from = this.#next;
    const entries = join(batch).map(({ body, by, at }, index): Entry => ({
      ...body,
      n: from + index,
      epoch: claim.epoch,
      at,
      ...(by && { by }),
    }));
    const texts = entries.map(encodeEntry);
    const result = await this.#append({ claim, from, entries: texts });
    if (result === undefined) return rejectAll(batch);
    if (result === "fenced") {
      rejectAll(batch);
      this.end();
      return this.#parts.onFenced();
    }
    this.#next += entries.length;
    this.#lastWrite = this.#parts.clock.now();
    for (const [index, entry] of entries.entries()) onStored(entry, texts[index]?.length ?? 0);
    for (const { stored } of batch) stored?.resolve();
  }

  /** Writes, as often as it takes. `undefined` if the outbox has ended first. */
  async #append(write: Parameters<Journal["append"]>[0][number]): Promise<WriteResult | undefined> {
    const { journal, clock, onFailure } = this.#parts;
    const { signal } = this.#end;
    for (let wait = retry.first; !signal.aborted; wait = Math.min(2 * wait, retry.longest)) {
      try {
        const [result] = await journal.append([write]);
        return result;
      } catch (error) {
        onFailure(error);
        await sleep(clock, wait, signal);
      }
    }
    return undefined;
  }

  #fail(): void {
    rejectAll(this.#waiting.splice(0));
    this.#room?.resolve();
    this.#room = undefined;
  }
}

function rejectAll(batch: readonly Waiting[]): void {
  for (const { stored } of batch) stored?.reject(new FencedError());
}

/** Joins the chunks of one message that wait side by side. */
function join(batch: readonly Waiting[]): readonly Waiting[] {
  const joined: Waiting[] = [];
  for (const one of batch) {
    const last = joined.at(-1);
    const size = (last?.size ?? 0) + one.size;
    const isKept = last === undefined || last.stored || one.stored || size > mergeUnits;
    const body = isKept ? undefined : joinBodies(last.body, one.body);
    if (last === undefined || body === undefined) joined.push(one);
    else joined[joined.length - 1] = { ...last, body, size };
  }
  return joined;
}

function joinBodies(first: EntryBody, second: EntryBody): EntryBody | undefined {
  if (first.t !== "update" || second.t !== "update" || first.v !== second.v) return undefined;
  const update = mergeUpdates(first.update, second.update);
  return update === undefined ? undefined : { ...first, update };
}
