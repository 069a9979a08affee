import type { ChatItem } from "../chat-state.ts";

/** The items of a state: those that are final by now, which all states share, and the others. */
export class ItemList {
  readonly length: number;
  readonly #final: readonly ChatItem[];
  readonly #firstOpen: number;
  readonly #open: readonly ChatItem[];

  /** `final` may grow later; its items never change. */
  constructor(final: readonly ChatItem[], open: readonly ChatItem[]) {
    this.#final = final;
    this.#firstOpen = final.length;
    this.#open = open;
    this.length = final.length + open.length;
  }

  at(index: number): ChatItem | undefined {
    const from = index < 0 ? index + this.length : index;
    return from < this.#firstOpen ? this.#final[from] : this.#open[from - this.#firstOpen];
  }

  slice(start = 0, end: number = this.length): ChatItem[] {
    const before = this.#firstOpen;
    const final = this.#final.slice(start, Math.min(end, before));
    return final.concat(this.#open.slice(Math.max(0, start - before), Math.max(0, end - before)));
  }
}
