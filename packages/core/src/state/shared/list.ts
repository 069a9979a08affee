/** How many items or nodes a node has, as a power of two. */
const bits = 5;
const width = 1 << bits;

type Node<T> = Leaf<T> | Branch<T>;

interface Leaf<T> {
  readonly items: readonly T[];
}

interface Branch<T> {
  readonly nodes: readonly Node<T>[];
}

// A tree of nodes of 32. Reading and replacing walk one path, of four nodes for a million items; an array would be copied
// each time. An array that lists share, each with a length of its own, would be copied whenever two lists grow from the same
// one, as in a UI that runs its reducer twice.

/**
 * A list that never changes. Adding or replacing an item makes another list, which shares nearly all its memory with this
 * one. So each of 100,000 items costs about the same, even if you keep every list on the way.
 *
 * It reads like an array: `map`, `filter`, `at`, `slice`, `length`, `for … of` and the like. An item keeps its index, and stays
 * the same object until it changes. `JSON.stringify` writes it as an array.
 */
export class List<T> implements Iterable<T> {
  /** The list without items. */
  static readonly empty: List<never> = new List<never>(0, bits, { nodes: [] });

  /** The list of these items. */
  static of<T>(items: Iterable<T>): List<T> {
    let list: List<T> = List.empty;
    for (const item of items) list = list.append(item);
    return list;
  }

  /** The number of items. */
  readonly length: number;
  // Not private: tools that compare members find lists with equal items equal.
  /** Internal: how far to shift an index to get the position in {@link root}. */
  readonly shift: number;
  /** Internal: the tree that holds the items. */
  readonly root: Branch<T>;

  protected constructor(length: number, shift: number, root: Branch<T>) {
    this.length = length;
    this.shift = shift;
    this.root = root;
  }

  /** The item at `index`, counted from the end if that is negative; `undefined` if there is none. */
  at(index: number): T | undefined {
    const position = this.#position(index);
    return position >= 0 && position < this.length ? this.#leaf(position)[position % width] : undefined;
  }

  /** A list with another item at the end. */
  append(item: T): List<T> {
    return this.replace(this.length, item);
  }

  /** A list with `item` in the place of the one at `index`. */
  replace(index: number, item: T): List<T> {
    const length = Math.max(this.length, index + 1);
    if (index < 2 ** (this.shift + bits)) {
      return new List(length, this.shift, withItem(this.root, this.shift, index, item));
    }
    const shift = this.shift + bits;
    return new List(length, shift, withItem({ nodes: [this.root] }, shift, index, item));
  }

  /**
   * The items from `start` up to `end`, as of an array: negative ones count from the end. Costs as much as it returns, so
   * read only what is new since the last time.
   */
  slice(start = 0, end: number = this.length): T[] {
    const items: T[] = [];
    const last = Math.min(this.#position(end), this.length);
    let index = Math.max(this.#position(start), 0);
    while (index < last) {
      const leaf = this.#leaf(index);
      const stop = Math.min(last, index - (index % width) + width);
      for (; index < stop; index++) items.push(leaf[index % width] as T);
    }
    return items;
  }

  /** What `make` returns for each item. The callbacks here get the same arguments as those of an array. */
  map<U>(make: (item: T, index: number, items: readonly T[]) => U): U[] {
    return this.slice().map(make);
  }

  /** What `make` returns for each item, in one list. */
  flatMap<U>(make: (item: T, index: number, items: T[]) => U | readonly U[]): U[] {
    return this.slice().flatMap(make);
  }

  /** The items that fit. */
  filter<S extends T>(fits: (item: T, index: number, items: readonly T[]) => item is S): S[];
  filter(fits: (item: T, index: number, items: readonly T[]) => unknown): T[];
  filter(fits: (item: T, index: number, items: readonly T[]) => unknown): T[] {
    return this.slice().filter(fits);
  }

  /** The first item that fits; `undefined` if none does. */
  find<S extends T>(fits: (item: T, index: number, items: readonly T[]) => item is S): S | undefined;
  find(fits: (item: T, index: number, items: readonly T[]) => unknown): T | undefined;
  find(fits: (item: T, index: number, items: readonly T[]) => unknown): T | undefined {
    return this.slice().find(fits);
  }

  /** The index of the first item that fits; -1 if none does. */
  findIndex(fits: (item: T, index: number, items: readonly T[]) => unknown): number {
    return this.slice().findIndex(fits);
  }

  /** The last item that fits; `undefined` if none does. */
  findLast<S extends T>(fits: (item: T, index: number, items: readonly T[]) => item is S): S | undefined;
  findLast(fits: (item: T, index: number, items: readonly T[]) => unknown): T | undefined;
  findLast(fits: (item: T, index: number, items: readonly T[]) => unknown): T | undefined {
    return this.slice().findLast(fits);
  }

  /** Whether any item fits. */
  some(fits: (item: T, index: number, items: readonly T[]) => unknown): boolean {
    return this.slice().some(fits);
  }

  /** Whether all items fit. */
  every(fits: (item: T, index: number, items: readonly T[]) => unknown): boolean {
    return this.slice().every(fits);
  }

  /** Folds the items into one value, from the first to the last. */
  reduce<U>(fold: (folded: U, item: T, index: number, items: readonly T[]) => U, start: U): U {
    return this.slice().reduce(fold, start);
  }

  /** Calls a function with each item. */
  forEach(act: (item: T, index: number, items: readonly T[]) => void): void {
    this.slice().forEach(act);
  }

  /** Whether this very item is in the list. */
  includes(item: T): boolean {
    return this.slice().includes(item);
  }

  /** The index of this very item; -1 if it is not in the list. */
  indexOf(item: T): number {
    return this.slice().indexOf(item);
  }

  /** The items as text, with a separator between them: `,` by default. */
  join(separator?: string): string {
    return this.slice().join(separator);
  }

  /** The indexes. */
  keys(): ArrayIterator<number> {
    return this.slice().keys();
  }

  /** The items. */
  values(): ArrayIterator<T> {
    return this.slice().values();
  }

  /** The items with their indexes. */
  entries(): ArrayIterator<[number, T]> {
    return this.slice().entries();
  }

  toJSON(): readonly T[] {
    return this.slice();
  }

  [Symbol.iterator](): Iterator<T> {
    return this.slice()[Symbol.iterator]();
  }

  /** Reads an index as arrays do: as a whole number, counted from the start. It may be outside. */
  #position(index: number): number {
    const whole = Math.trunc(index) || 0;
    return whole < 0 ? this.length + whole : whole;
  }

  #leaf(index: number): readonly T[] {
    let node: Node<T> | undefined = this.root;
    for (let shift = this.shift; node !== undefined && "nodes" in node; shift -= bits) {
      node = node.nodes[(index >>> shift) % width];
    }
    return node?.items ?? [];
  }
}

function withItem<T>({ nodes }: Branch<T>, shift: number, index: number, item: T): Branch<T> {
  const position = (index >>> shift) % width;
  const known = nodes[position];
  const changed = nodes.slice();
  if (shift > bits) {
    const branch = known !== undefined && "nodes" in known ? known : { nodes: [] };
    changed[position] = withItem(branch, shift - bits, index, item);
  } else {
    const items = known !== undefined && "items" in known ? known.items.slice() : [];
    items[index % width] = item;
    changed[position] = { items };
  }
  return { nodes: changed };
}
