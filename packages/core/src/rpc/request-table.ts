import { isObject } from "../base/values.ts";

/** A request and its owner. */
export interface Identified {
  readonly id: string | number;
  readonly sessionId?: string | undefined;
  readonly owner?: object | undefined;
}

/** How many slots a table has: the ids of so many requests in a row have a slot each. */
const slotCount = 256;

/** So many requests are searched one by one; more are grouped. */
const fewRequests = 64;

/**
 * Pending requests by id. Of many, it also groups those of each session and owner (such as a turn): when one of thousands of
 * sessions ends, only its own requests are looked at.
 *
 * Not just a map: one from which requests come and go leaves outgrown tables behind, which keep all they held alive until the
 * next full collection. With 64 requests in flight that costs half as much time again, and more than twice the memory.
 */
export class RequestTable<R extends Identified> {
  readonly #slots: (R | undefined)[] = Array.from({ length: slotCount });
  /** Requests whose slot was taken. */
  readonly #others = new Map<string | number, R>();
  #size = 0;
  /** By session ("" for none) and by owner; from the first search among many requests until the table is empty. */
  #groups: Map<unknown, Set<R>> | undefined;

  get size(): number {
    return this.#size;
  }

  get(id: string | number): R | undefined {
    const request = this.#slots[slotOf(id)];
    return request?.id === id ? request : this.#others.get(id);
  }

  /** Adds a request, or replaces the one with the same id. */
  set(request: R): void {
    const { id } = request;
    this.take(id);
    this.#size++;
    const slot = slotOf(id);
    if (this.#slots[slot] === undefined) this.#slots[slot] = request;
    else this.#others.set(id, request);
    if (this.#groups !== undefined) join(this.#groups, request);
  }

  /** Removes a request and returns it. */
  take(id: string | number): R | undefined {
    const request = this.get(id);
    if (request === undefined) return undefined;
    if (!this.#others.delete(id)) this.#slots[slotOf(id)] = undefined;
    if (--this.#size === 0) this.#groups = undefined;
    for (const key of this.#groups === undefined ? [] : keysOf(request)) {
      const group = this.#groups?.get(key);
      group?.delete(request);
      if (group?.size === 0) this.#groups?.delete(key);
    }
    return request;
  }

  /** Whether a request fits. With `keys`, only requests of these sessions and owners count. */
  some(fits: (request: R) => boolean, keys?: readonly unknown[]): boolean {
    if (keys === undefined) return this.#hasFitting(fits);
    if (this.#groups === undefined && this.#size <= fewRequests) {
      const belongs = (request: R): boolean => keysOf(request).some((key) => keys.includes(key));
      return this.#hasFitting((request) => belongs(request) && fits(request));
    }
    const groups = (this.#groups ??= this.#groupAll());
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

  #hasFitting(fits: (request: R) => boolean): boolean {
    for (const request of this.#slots) if (request !== undefined && fits(request)) return true;
    return hasFitting(this.#others.values(), fits);
  }

  #groupAll(): Map<unknown, Set<R>> {
    const groups = new Map<unknown, Set<R>>();
    this.#hasFitting((request) => {
      join(groups, request);
      return false;
    });
    return groups;
  }
}

/** The slot of an id: of a string by its last characters, as clients count there. */
function slotOf(id: string | number): number {
  if (typeof id === "number") return id & (slotCount - 1);
  let hash = 0;
  for (let index = Math.max(0, id.length - 3); index < id.length; index++) hash = hash * 10 + id.charCodeAt(index);
  return hash & (slotCount - 1);
}

function keysOf({ sessionId = "", owner }: Identified): readonly unknown[] {
  return owner === undefined ? [sessionId] : [sessionId, owner];
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
