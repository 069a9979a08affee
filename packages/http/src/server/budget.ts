/** One holder's share of a {@link Budget}. */
export interface Share {
  readonly held: number;
  /** Takes so much more, or gives so much back if it is negative. */
  add(amount: number): void;
  /** Gives everything back, for good. */
  end(): void;
}

/**
 * Counts how much a server holds for all its clients together. Above the limit, the holder of the largest share has to discard
 * it, so that small clients continue. It is asked only once, since it may hold memory that it cannot free.
 */
export class Budget {
  readonly #limit: number;
  readonly #shares = new Set<Holder>();
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The total of all shares. */
  get held(): number {
    return this.#held;
  }

  /**
   * Opens a share. `giveUp` is called above the limit, if this share is the largest one. `measure` returns the real size
   * of a share that shrinks without notice.
   */
  open(giveUp: () => void, measure?: () => number): Share {
    const holder: Holder = { held: 0, isAsked: false, giveUp, measure };
    this.#shares.add(holder);
    return {
      get held() {
        return holder.held;
      },
      add: (amount) => this.#add(holder, amount),
      end: () => {
        if (!this.#shares.delete(holder)) return;
        this.#held -= holder.held;
        holder.held = 0;
      },
    };
  }

  #add(holder: Holder, amount: number): void {
    if (!this.#shares.has(holder)) return;
    holder.held += amount;
    this.#held += amount;
    if (amount > 0 && this.#held > this.#limit) this.#enforce();
  }

  #enforce(): void {
    for (const holder of this.#shares) {
      const held = holder.measure?.() ?? holder.held;
      this.#held += held - holder.held;
      holder.held = held;
    }
    while (this.#held > this.#limit) {
      let largest: Holder | undefined;
      for (const holder of this.#shares) if (!holder.isAsked && holder.held > (largest?.held ?? 0)) largest = holder;
      if (largest === undefined) return;
      largest.isAsked = true;
      largest.giveUp();
    }
  }
}

interface Holder {
  held: number;
  isAsked: boolean;
  readonly giveUp: () => void;
  readonly measure: (() => number) | undefined;
}
