import { List } from "./list.ts";
import { Positions } from "./positions.ts";

/**
 * What a user sees of a session, in order of appearance. It never changes, like a {@link List}, and is read like one. `find`
 * returns an item by its id.
 *
 * Only items of the types `Identified` have an id. Items of different types may have the same id.
 */
export class Timeline<Item extends { readonly type: string }, Identified extends string> implements Iterable<Item> {
  /** The timeline without items. */
  static readonly empty: Timeline<never, never> = new Timeline<never, never>(List.empty, Positions.empty);

  // Not private: tools that compare members find timelines with equal items equal.
  /** The items as a list. */
  readonly items: List<Item>;
  readonly #positions: Positions;

  private constructor(items: List<Item>, positions: Positions) {
    this.items = items;
    this.#positions = positions;
  }

  /** The number of items. */
  get length(): number {
    return this.items.length;
  }

  /** The item at `index`, counted from the end if that is negative; `undefined` if there is none. */
  at(index: number): Item | undefined {
    return this.items.at(index);
  }

  /** The items from `start` up to `end`, as of an array: negative ones count from the end. Costs as much as it returns. */
  slice(start?: number, end?: number): Item[] {
    return this.items.slice(start, end);
  }

  toJSON(): readonly Item[] {
    return this.items.toJSON();
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.items[Symbol.iterator]();
  }

  /**
   * The item with this id as it is now; `undefined` if there is none.
   *
   * ```ts
   * const status = state.timeline.find("tool_call", toolCallId)?.status;
   * ```
   */
  find<Type extends Identified>(type: Type, id: string): (Item & { readonly type: Type }) | undefined {
    const position = this.position(type, id);
    const item = position === undefined ? undefined : this.items.at(position);
    return item !== undefined && isOf(item, type) ? item : undefined;
  }

  /** The index of the item with this id; `undefined` if there is none. */
  position(type: Identified, id: string): number | undefined {
    return this.#positions.get(keyOf(type, id));
  }

  /** A timeline with another item at the end. */
  append(item: Item): Timeline<Item, Identified> {
    return this.replace(this.length, item);
  }

  /** A timeline with another item at this index. */
  replace(position: number, item: Item): Timeline<Item, Identified> {
    return new Timeline(this.items.replace(position, item), this.#positions);
  }

  /** A timeline with this item in the place of the one with its id, or at the end. The same one if nothing changes. */
  put(item: Item & { readonly type: Identified }, id: string): Timeline<Item, Identified> {
    const position = this.position(item.type, id);
    if (position === undefined) return this.append(item).register(item.type, id, this.length);
    return this.at(position) === item ? this : this.replace(position, item);
  }

  /** A timeline in which {@link find} returns the item at this index for this id too. */
  register(type: Identified, id: string, position: number): Timeline<Item, Identified> {
    return new Timeline(this.items, this.#positions.add(keyOf(type, id), position));
  }
}

function isOf<Item extends { readonly type: string }, Type extends string>(
  item: Item,
  type: Type,
): item is Item & { readonly type: Type } {
  return item.type === type;
}

function keyOf(type: string, id: string): string {
  return `${type} ${id}`;
}
