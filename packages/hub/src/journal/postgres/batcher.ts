import { createDeferred, type Deferred } from "../../deferred.ts";
import type { Write, WriteResult } from "../journal.ts";

interface Waiting {
  readonly write: Write;
  readonly result: Deferred<WriteResult>;
}

/** How many entries one statement has at most. */
const mostEntries = 5000;

/**
 * Joins the writes of all sessions of this process: while a statement is under way, the next ones gather for the following. One
 * transaction for each would wait for the others, since PostgreSQL commits one at a time where notifications are sent.
 */
export class Batcher {
  readonly #store: (writes: readonly Write[]) => Promise<readonly WriteResult[]>;
  #waiting: Waiting[] = [];
  #isStoring = false;

  /** @param store Stores writes of different sessions. */
  constructor(store: (writes: readonly Write[]) => Promise<readonly WriteResult[]>) {
    this.#store = store;
  }

  async add(writes: readonly Write[]): Promise<readonly WriteResult[]> {
    const added = writes.map((write) => ({ write, result: createDeferred<WriteResult>() }));
    this.#waiting.push(...added);
    void this.#storeAll();
    return await Promise.all(added.map(({ result }) => result.promise));
  }

  async #storeAll(): Promise<void> {
    if (this.#isStoring) return;
    this.#isStoring = true;
    // What comes in the same moment goes along.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#storeBatch(this.#take());
    this.#isStoring = false;
  }

  /** The first write of each session, up to a size. */
  #take(): readonly Waiting[] {
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    const sessions = new Set<string>();
    let size = 0;
    for (const waiting of this.#waiting) {
      const { claim, entries } = waiting.write;
      const hasRoom = batch.length === 0 || size + entries.length <= mostEntries;
      if (hasRoom && !sessions.has(claim.session)) {
        batch.push(waiting);
        size += entries.length;
      } else left.push(waiting);
      sessions.add(claim.session);
    }
    this.#waiting = left;
    return batch;
  }

  async #storeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const results = await this.#store(batch.map(({ write }) => write));
      for (const [index, { result }] of batch.entries()) result.resolve(results[index] ?? "fenced");
    } catch (error) {
      for (const { result } of batch) result.reject(error);
    }
  }
}
