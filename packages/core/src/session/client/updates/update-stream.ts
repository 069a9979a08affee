import { UnreadUpdatesError } from "../../../base/errors.ts";
import { createDeferred, type Deferred } from "../../../base/promises.ts";
import type { UnreadLimit, UnreadUpdates } from "./unread-updates.ts";

/** The queue length at which a slow reader is reported, and again at every doubling. */
const backlogReport = 10_000;

/** Whose updates a stream passes on. */
export interface StreamOptions {
  readonly sessionId: string;
  readonly unread: UnreadUpdates;
  /** Updates kept for a loop that has not started do not count as a backlog: the opener may not want them. */
  readonly keepsQuietly: boolean;
}

/** Passes updates to iterations. Each has its own queue; without an iteration, nothing is kept. */
export class UpdateStream<T> implements AsyncIterable<T> {
  /** Replaced, not changed: a receiver may end its iteration. */
  #subscriptions: readonly Subscription<T>[] = [];
  readonly #options: StreamOptions;
  #early: Subscription<T> | undefined;
  #end: { readonly error: unknown } | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  /** Keeps updates for the first iteration until it starts. */
  keep(): void {
    if (this.#early !== undefined || this.#subscriptions.length > 0) return;
    this.#early = this.#subscribe();
  }

  get isKeeping(): boolean {
    return this.#early !== undefined && this.#subscriptions.includes(this.#early);
  }

  /** The updates that are kept for the first iteration. */
  get kept(): readonly T[] {
    return this.#early?.waiting ?? [];
  }

  /** Whether an iteration receives updates, or they are kept for one. */
  get isObserved(): boolean {
    return this.#subscriptions.length > 0;
  }

  /** Pending while an iteration has left too much unread, if it is to be waited for. */
  get room(): Promise<void> | undefined {
    for (const { room } of this.#subscriptions) if (room !== undefined) return room.promise;
    return undefined;
  }

  /** Drops the kept updates, unless a loop has taken them over. */
  forget(): void {
    if (this.#early !== undefined) this.#drop(this.#early);
    this.#early = undefined;
  }

  /** `size` is the length of the message that it came in, in characters. */
  push(item: T, size: number): void {
    for (const subscription of this.#subscriptions) subscription.push(item, size);
  }

  /** Ends all iterations once they have caught up; with an error, they throw it. */
  end(error?: unknown): void {
    this.#end = { error };
    for (const subscription of this.#subscriptions) subscription.end(error);
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    const subscription = this.#early ?? this.#subscribe();
    this.#early = undefined;
    return subscription;
  }

  #subscribe(): Subscription<T> {
    const { sessionId, unread, keepsQuietly } = this.#options;
    const subscription = new Subscription<T>({
      sessionId,
      unread,
      onBacklog: (size) => {
        if (!keepsQuietly || subscription !== this.#early) unread.onBacklog(sessionId, size);
      },
      onLeft: () => this.#drop(subscription),
    });
    if (this.#end !== undefined) subscription.end(this.#end.error);
    else this.#subscriptions = [...this.#subscriptions, subscription];
    return subscription;
  }

  #drop(subscription: Subscription<T>): void {
    this.#subscriptions = this.#subscriptions.filter((other) => other !== subscription);
  }
}

interface Waiter<T> {
  resolve(result: IteratorResult<T>): void;
  reject(error: unknown): void;
}

interface SubscriptionOptions extends Omit<StreamOptions, "keepsQuietly"> {
  onBacklog(size: number): void;
  /** It wants no more. */
  onLeft(): void;
}

class Subscription<T> implements AsyncIterator<T> {
  #items: (T | undefined)[] = [];
  /** How large each item is, at the same index. */
  #sizes: number[] = [];
  #head = 0;
  /** How large all that wait are together. */
  #size = 0;
  #reportAt = backlogReport;
  #discarded = 0;
  #hasBegun = false;
  /** Resolves when half of the limit is read, or the stream ends. */
  room: Deferred | undefined;
  #end: { readonly error: unknown } | undefined;
  readonly #waiters: Waiter<T>[] = [];
  readonly #options: SubscriptionOptions;
  readonly #maxCount: number;
  readonly #maxSize: number;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.#maxCount = options.unread.limits.maxCount;
    this.#maxSize = options.unread.limits.maxSize;
  }

  get waiting(): readonly T[] {
    return this.#items.slice(this.#head) as T[];
  }

  push(item: T, size: number): void {
    const waiter = this.#waiters.shift();
    if (waiter !== undefined) return waiter.resolve({ done: false, value: item });
    const count = this.#items.push(item) - this.#head;
    this.#sizes.push(size);
    this.#size += size;
    if (count > this.#maxCount || this.#size > this.#maxSize) this.#makeRoom();
    if (count < this.#reportAt) return;
    this.#reportAt *= 2;
    this.#options.onBacklog(count);
  }

  /** The limit of which more than this part waits. A single one always fits. */
  #overLimit(part: number): UnreadLimit | undefined {
    const count = this.#items.length - this.#head;
    if (count > this.#maxCount * part) return "maxCount";
    return this.#size > this.#maxSize * part && count > 1 ? "maxSize" : undefined;
  }

  #makeRoom(): void {
    const limit = this.#overLimit(1);
    if (limit === undefined) return;
    const { sessionId, unread, onLeft } = this.#options;
    const { whenFull } = unread.limits;
    // One that has not started may never start.
    if (whenFull === "wait" && this.#hasBegun) {
      this.room ??= createDeferred();
      return;
    }
    if (whenFull === "drop-oldest") {
      for (; this.#overLimit(1) !== undefined; this.#discarded++) this.#take();
    } else {
      this.#size -= this.#sizes.pop() ?? 0;
      this.#items.pop();
      this.#discarded++;
      onLeft();
      this.end(new UnreadUpdatesError(sessionId, `unreadUpdates.${limit}`, unread.limits[limit]));
    }
    if ((this.#discarded & (this.#discarded - 1)) === 0) unread.onOverLimit(sessionId, limit, this.#discarded);
  }

  end(error: unknown): void {
    this.#end ??= { error };
    this.#letGoOn();
    for (const waiter of this.#waiters.splice(0)) this.#finish(waiter);
  }

  next(): Promise<IteratorResult<T>> {
    this.#hasBegun = true;
    if (this.#head < this.#items.length) {
      const value = this.#take();
      if (this.room !== undefined && this.#overLimit(0.5) === undefined) this.#letGoOn();
      return Promise.resolve({ done: false, value });
    }
    return new Promise((resolve, reject) => {
      const waiter = { resolve, reject };
      if (this.#end === undefined) this.#waiters.push(waiter);
      else this.#finish(waiter);
    });
  }

  return(): Promise<IteratorResult<T>> {
    this.#options.onLeft();
    this.#items = [];
    this.#sizes = [];
    this.#head = 0;
    this.#size = 0;
    this.end(undefined);
    return Promise.resolve({ done: true, value: undefined });
  }

  #letGoOn(): void {
    this.room?.resolve();
    this.room = undefined;
  }

  #take(): T {
    const item = this.#items[this.#head] as T;
    this.#size -= this.#sizes[this.#head] ?? 0;
    // Released now, and not when the array is cut, which is long after: it may be large.
    this.#items[this.#head++] = undefined;
    if (this.#head === this.#items.length) {
      this.#items = [];
      this.#sizes = [];
      this.#head = 0;
    } else if (this.#head >= 1024 && this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#sizes = this.#sizes.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  /** Throws an error once; after that the iteration is over. */
  #finish(waiter: Waiter<T>): void {
    const error = this.#end?.error;
    this.#end = { error: undefined };
    if (error === undefined) waiter.resolve({ done: true, value: undefined });
    else waiter.reject(error);
  }
}
