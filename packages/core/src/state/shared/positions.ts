interface Entry {
  readonly position: number;
  /** How many keys were added before this one. */
  readonly order: number;
}

/**
 * The position of each key. It never changes: adding a key makes another one. Both share one map, which only grows, and
 * each reads no more entries than it has keys. The map is copied only where two of them add different keys.
 */
export class Positions {
  /** No key. */
  static readonly empty: Positions = new Positions(new Map(), 0);

  // Private, so that two of them with the same keys are equal even if the map of one has grown.
  readonly #entries: Map<string, Entry>;
  readonly #size: number;

  private constructor(entries: Map<string, Entry>, size: number) {
    this.#entries = entries;
    this.#size = size;
  }

  /** The position of this key; `undefined` if it is not there. */
  get(key: string): number | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.order < this.#size ? entry.position : undefined;
  }

  /** These keys and another one. A key that is there keeps its position. */
  add(key: string, position: number): Positions {
    if (this.get(key) !== undefined) return this;
    const order = this.#size;
    let entries = this.#entries;
    const known = entries.get(key);
    // A UI that runs its reducer twice adds the same key twice.
    if (known?.order !== order || known.position !== position) {
      // No sessions share the map of the empty one.
      if (order === 0 || entries.size > order) entries = new Map([...entries].slice(0, order));
      entries.set(key, { position, order });
    }
    return new Positions(entries, order + 1);
  }
}
