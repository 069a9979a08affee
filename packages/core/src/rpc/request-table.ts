import { isObject } from "../base/values.ts";

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
  /** By session ("" for none) and by owner. Most have one request, which is stored without a set. */
  readonly #groups = new Map<unknown, R | Set<R>>();

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

  /** Whether a request fits. With `keys`, only requests of these sessions and owners count. */
  some(fits: (request: R) => boolean, keys?: readonly unknown[]): boolean {
    if (keys === undefined) return hasFitting(this.#byId.values(), fits);
    return keys.some((key) => hasFitting(membersOf(this.#groups.get(key)), fits));
  }

  /** The requests that fit, ordered by id if ids are numbers. `keys` are those of {@link some}. */
  values(fits: (request: R) => boolean = () => true, keys?: readonly unknown[]): R[] {
    // One that belongs to several of the keys is found several times.
    const found = new Set<R>();
    this.some((request) => {
      if (fits(request)) found.add(request);
      return false;
    }, keys);
    return [...found].toSorted((one, other) => Number(one.id) - Number(other.id) || 0);
  }

  #join(key: unknown, request: R): void {
    const group = this.#groups.get(key);
    if (group instanceof Set) group.add(request);
    else this.#groups.set(key, group === undefined ? request : new Set([group, request]));
  }

  #leave(key: unknown, request: R): void {
    const group = this.#groups.get(key);
    if (group instanceof Set) group.delete(request);
    if (group === request || (group instanceof Set && group.size === 0)) this.#groups.delete(key);
  }
}

function membersOf<R>(group: R | Set<R> | undefined): Iterable<R> {
  if (group instanceof Set) return group;
  return group === undefined ? [] : [group];
}

function hasFitting<R>(requests: Iterable<R>, fits: (request: R) => boolean): boolean {
  for (const request of requests) if (fits(request)) return true;
  return false;
}

/** Reads the session that a message belongs to. */
export function readSessionId(params: unknown): string | undefined {
  const sessionId = isObject(params) ? params["sessionId"] : undefined;
  return typeof sessionId === "string" ? sessionId : undefined;
}
