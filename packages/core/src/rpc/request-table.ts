import { isObject } from "../base/values.ts";

/** A request, and what it belongs to. */
export interface Identified {
  readonly id: string | number;
  readonly sessionId?: string | undefined;
  readonly owner?: object | undefined;
}

/** So many requests are searched one by one; more are grouped. */
const fewRequests = 64;

/**
 * Pending requests by id. Of many, it also groups those of each session and owner (such as a turn): when one of thousands of
 * sessions ends, only its own requests are looked at.
 */
export class RequestTable<R extends Identified> {
  readonly #byId = new Map<string | number, R>();
  /** By session ("" for none) and by owner; from the first search among many requests until the table is empty. */
  #groups: Map<unknown, Set<R>> | undefined;

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
    if (this.#groups !== undefined) join(this.#groups, request);
  }

  /** Removes a request and returns it. */
  take(id: string | number): R | undefined {
    const request = this.#byId.get(id);
    if (request === undefined) return undefined;
    this.#byId.delete(id);
    if (this.#byId.size === 0) this.#groups = undefined;
    for (const key of this.#groups === undefined ? [] : keysOf(request)) {
      const group = this.#groups?.get(key);
      group?.delete(request);
      if (group?.size === 0) this.#groups?.delete(key);
    }
    return request;
  }

  /** Whether a request fits. With `keys`, only requests of these sessions and owners count. */
  some(fits: (request: R) => boolean, keys?: readonly unknown[]): boolean {
    if (keys === undefined) return hasFitting(this.#byId.values(), fits);
    if (this.#groups === undefined && this.#byId.size <= fewRequests) {
      const belongs = (request: R): boolean => keysOf(request).some((key) => keys.includes(key));
      return hasFitting(this.#byId.values(), (request) => belongs(request) && fits(request));
    }
    const groups = (this.#groups ??= groupAll(this.#byId.values()));
    return keys.some((key) => hasFitting(groups.get(key) ?? [], fits));
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
}

function keysOf({ sessionId = "", owner }: Identified): readonly unknown[] {
  return owner === undefined ? [sessionId] : [sessionId, owner];
}

function groupAll<R extends Identified>(requests: Iterable<R>): Map<unknown, Set<R>> {
  const groups = new Map<unknown, Set<R>>();
  for (const request of requests) join(groups, request);
  return groups;
}

function join<R extends Identified>(groups: Map<unknown, Set<R>>, request: R): void {
  for (const key of keysOf(request)) {
    const group = groups.get(key) ?? new Set();
    groups.set(key, group.add(request));
  }
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
