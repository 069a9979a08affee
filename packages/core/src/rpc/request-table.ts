/** How many places there are: the ids of that many requests in a row have one each. */
const places = 256;

/** What has an id, and may belong to a session and to an owner, such as a turn. */
export interface Identified {
  readonly id: string | number;
  readonly sessionId?: string | undefined;
  readonly owner?: object | undefined;
}

/**
 * Values by their id, for ids that come and go by the thousand, mostly counted up by one.
 *
 * Not a Map: that leaves a chain of outgrown tables behind, each with what it once held, so that the
 * collector takes all of it for alive; requests took half as long again. Each value has a place of its own by the end
 * of its id, and only where that is taken does it go into an object used as a table (for all of them, that took a
 * twelfth of the time of a prompt on Node, a tenth on Bun).
 *
 * What is in that object is grouped by what it belongs to: thousands of sessions that end at once ask for theirs each.
 */
export class RequestTable<V extends Identified> {
  readonly #places: (V | undefined)[] = Array.from({ length: places });
  readonly #others: Record<string | number, V> = Object.create(null);
  /** The others by session and by owner. Those without a session are under "". */
  readonly #groups = new Map<unknown, Set<V>>();
  /** How many there are. */
  size = 0;

  get(id: string | number): V | undefined {
    const value = this.#places[placeOf(id)];
    if (value?.id === id) return value;
    return this.#groups.size === 0 ? undefined : this.#others[id];
  }

  /** Adds a value, or puts it in the place of the one with its id. */
  set(value: V): void {
    const { id } = value;
    this.take(id);
    this.size++;
    const place = placeOf(id);
    if (this.#places[place] === undefined) this.#places[place] = value;
    else {
      this.#others[id] = value;
      this.#group(value, "add");
    }
  }

  /** Takes a value out; which one it was. */
  take(id: string | number): V | undefined {
    const known = this.get(id);
    if (known === undefined) return undefined;
    this.size--;
    const place = placeOf(id);
    if (this.#places[place] === known) this.#places[place] = undefined;
    else {
      delete this.#others[id];
      this.#group(known, "delete");
    }
    return known;
  }

  /**
   * Whether one fits; in no order, so that asking costs neither a list nor a sort.
   *
   * @param keys Sessions and owners; where some are given, what fits belongs to one of them. "" is for those of no session.
   */
  some(fits: (value: V) => boolean, keys?: readonly unknown[]): boolean {
    for (const value of this.#places) if (value !== undefined && fits(value)) return true;
    if (this.#groups.size === 0) return false;
    return (keys?.flatMap((key) => [...(this.#groups.get(key) ?? [])]) ?? Object.values(this.#others)).some(fits);
  }

  /** Those that fit, all by default, in the order of their ids, where these are numbers. Only what fits is sorted. */
  values(fits: (value: V) => boolean = () => true, keys?: readonly unknown[]): V[] {
    // What belongs to several of the keys is there once.
    const all = new Set<V>();
    this.some((value) => {
      if (fits(value)) all.add(value);
      return false;
    }, keys);
    return [...all].toSorted((one, other) => Number(one.id) - Number(other.id) || 0);
  }

  #group(value: V, does: "add" | "delete"): void {
    const { sessionId = "", owner } = value;
    for (const key of owner ? [sessionId, owner] : [sessionId]) {
      const group = this.#groups.get(key) ?? new Set();
      group[does](value);
      if (group.size > 0) this.#groups.set(key, group);
      else this.#groups.delete(key);
    }
  }
}

function placeOf(id: string | number): number {
  if (typeof id === "number") return id & (places - 1);
  let place = 0;
  for (let index = Math.max(0, id.length - 3); index < id.length; index++) place = place * 10 + id.charCodeAt(index);
  return place & (places - 1);
}
