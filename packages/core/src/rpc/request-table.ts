/** A request, and what it belongs to. */
export interface Identified {
  readonly id: string | number;
  readonly sessionId?: string | undefined;
  readonly owner?: object | undefined;
}

/**
 * Pending requests by id, and by the session and the owner (such as a turn) that they belong to: when one of thousands of
 * sessions ends, only its own requests are looked at.
 */
export class RequestTable<R extends Identified> {
  readonly #byId = new Map<string | number, R>();
  /** By session and by owner. Requests without a session are under "". */
  readonly #groups = new Map<unknown, Set<R>>();

  get size(): number {
    return this.#byId.size;
  }

  get(id: string | number): R | undefined {
    return this.#byId.get(id);
  }

  /** Adds a request, or replaces the one with the same id. */
  set(request: R): void {
    this.take(request.id);
    this.#byId.set(request.id, request);
    this.#join(request.sessionId ?? "", request);
    if (request.owner !== undefined) this.#join(request.owner, request);
  }

  /** Removes a request and returns it. */
  take(id: string | number): R | undefined {
    const request = this.#byId.get(id);
    if (request === undefined) return undefined;
    this.#byId.delete(id);
    this.#leave(request.sessionId ?? "", request);
    if (request.owner !== undefined) this.#leave(request.owner, request);
    return request;
  }

  /** Whether a request fits. With `keys`, only requests of these sessions and owners count; "" is for those of no session. */
  some(fits: (request: R) => boolean, keys?: readonly unknown[]): boolean {
    for (const request of this.#select(keys)) if (fits(request)) return true;
    return false;
  }

  /** The requests that fit, ordered by id if ids are numbers. `keys` are those of {@link some}. */
  values(fits: (request: R) => boolean = () => true, keys?: readonly unknown[]): R[] {
    return [...this.#select(keys)].filter(fits).toSorted((one, other) => Number(one.id) - Number(other.id) || 0);
  }

  #select(keys: readonly unknown[] | undefined): Iterable<R> {
    if (keys === undefined) return this.#byId.values();
    return new Set(keys.flatMap((key) => [...(this.#groups.get(key) ?? [])]));
  }

  #join(key: unknown, request: R): void {
    const group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, new Set([request]));
    else group.add(request);
  }

  #leave(key: unknown, request: R): void {
    const group = this.#groups.get(key);
    group?.delete(request);
    if (group?.size === 0) this.#groups.delete(key);
  }
}
