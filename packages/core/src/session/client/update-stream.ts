/** The queue length at which a slow reader is reported, and again at every doubling. */
const backlogReport = 10_000;

/** Passes updates to iterations. Each has its own queue; without an iteration, nothing is kept. */
export class UpdateStream<T> implements AsyncIterable<T> {
  /** Replaced, not changed: a receiver may end its iteration. */
  #subscriptions: readonly Subscription<T>[] = [];
  readonly #onBacklog: (size: number) => void;
  #early: Subscription<T> | undefined;
  #end: { readonly error: unknown } | undefined;

  constructor(onBacklog: (size: number) => void) {
    this.#onBacklog = onBacklog;
  }

  /** Keeps updates for the first iteration until it begins. */
  keep(): void {
    if (this.#early !== undefined || this.#subscriptions.length > 0) return;
    this.#early = this.#subscribe();
  }

  get isKeeping(): boolean {
    return this.#early !== undefined;
  }

  /** The updates that are kept for the first iteration. */
  get kept(): readonly T[] {
    return this.#early?.waiting ?? [];
  }

  /** Whether an iteration receives updates, or they are kept for one. */
  get isObserved(): boolean {
    return this.#subscriptions.length > 0;
  }

  /** Drops what is kept, unless an iteration has taken it over. */
  forget(): void {
    if (this.#early !== undefined) this.#drop(this.#early);
    this.#early = undefined;
  }

  push(item: T): void {
    for (const subscription of this.#subscriptions) subscription.push(item);
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
    const subscription = new Subscription<T>(this.#onBacklog, () => this.#drop(subscription));
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

class Subscription<T> implements AsyncIterator<T> {
  #items: (T | undefined)[] = [];
  #head = 0;
  #reportAt = backlogReport;
  #end: { readonly error: unknown } | undefined;
  readonly #waiters: Waiter<T>[] = [];
  readonly #onBacklog: (size: number) => void;
  readonly #onReturn: () => void;

  constructor(onBacklog: (size: number) => void, onReturn: () => void) {
    this.#onBacklog = onBacklog;
    this.#onReturn = onReturn;
  }

  get waiting(): readonly T[] {
    return this.#items.slice(this.#head) as T[];
  }

  push(item: T): void {
    const waiter = this.#waiters.shift();
    if (waiter !== undefined) return waiter.resolve({ done: false, value: item });
    this.#items.push(item);
    const size = this.#items.length - this.#head;
    if (size < this.#reportAt) return;
    this.#reportAt *= 2;
    this.#onBacklog(size);
  }

  end(error: unknown): void {
    this.#end ??= { error };
    for (const waiter of this.#waiters.splice(0)) this.#finish(waiter);
  }

  next(): Promise<IteratorResult<T>> {
    if (this.#head < this.#items.length) return Promise.resolve({ done: false, value: this.#take() });
    return new Promise((resolve, reject) => {
      const waiter = { resolve, reject };
      if (this.#end === undefined) this.#waiters.push(waiter);
      else this.#finish(waiter);
    });
  }

  return(): Promise<IteratorResult<T>> {
    this.#onReturn();
    this.#items = [];
    this.end(undefined);
    return Promise.resolve({ done: true, value: undefined });
  }

  #take(): T {
    const item = this.#items[this.#head] as T;
    // Released now, and not when the array is cut, which is long after: it may be large.
    this.#items[this.#head++] = undefined;
    if (this.#head === this.#items.length) {
      this.#items = [];
      this.#head = 0;
    } else if (this.#head >= 1024 && this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
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
