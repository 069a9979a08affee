/** How many places there are: the ids of that many requests in a row have one each. */
const places = 256;

/**
 * Values by their id, for ids that come and go by the thousand, mostly counted up by one.
 *
 * Not a Map: that leaves a chain of outgrown tables behind, each with what it once held, so that the
 * collector takes all of it for alive; requests took half as long again. Each value has a place of its own by the end
 * of its id, and only where that is taken does it go into an object used as a table (for all of them, that took a
 * twelfth of the time of a prompt on Node, a tenth on Bun).
 */
export class ById<V extends { readonly id: string | number }> {
  readonly #places: (V | undefined)[] = Array.from({ length: places });
  readonly #others: Record<string | number, V> = Object.create(null);
  #otherCount = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(id: string | number): V | undefined {
    const value = this.#places[placeOf(id)];
    if (value !== undefined && value.id === id) return value;
    return this.#otherCount === 0 ? undefined : this.#others[id];
  }

  /** Adds a value, or puts it in the place of the one with its id. */
  set(value: V): void {
    const { id } = value;
    const known = this.get(id);
    const place = placeOf(id);
    if (known === undefined) this.#size++;
    // One that went to the others stays there when its place gets free.
    if (this.#places[place] === known) this.#places[place] = value;
    else {
      if (known === undefined) this.#otherCount++;
      this.#others[id] = value;
    }
  }

  /** Takes a value out; which one it was. */
  take(id: string | number): V | undefined {
    const known = this.get(id);
    if (known === undefined) return undefined;
    this.#size--;
    const place = placeOf(id);
    if (this.#places[place] === known) this.#places[place] = undefined;
    else {
      this.#otherCount--;
      delete this.#others[id];
    }
    return known;
  }

  /** Whether one fits; in no order, so that asking costs neither a list nor a sort. */
  some(fits: (value: V) => boolean): boolean {
    for (const value of this.#places) if (value !== undefined && fits(value)) return true;
    return this.#otherCount > 0 && Object.values(this.#others).some(fits);
  }

  /** Those that fit, all by default, in the order of their ids, where these are numbers. Only what fits is sorted. */
  values(fits: (value: V) => boolean = () => true): V[] {
    const all = Object.values(this.#others).filter(fits);
    for (const value of this.#places) if (value !== undefined && fits(value)) all.push(value);
    return all.toSorted((one, other) => Number(one.id) - Number(other.id) || 0);
  }
}

function placeOf(id: string | number): number {
  if (typeof id === "number") return id & (places - 1);
  let place = 0;
  for (let index = Math.max(0, id.length - 3); index < id.length; index++) place = place * 10 + id.charCodeAt(index);
  return place & (places - 1);
}
