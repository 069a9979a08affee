import { List } from "./list.ts";
import { Positions } from "./positions.ts";

/**
 * The items that a user sees of a session, in order of appearance: a {@link List} in which `find` returns an item by its id.
 *
 * Only items of the types `Identified` have an id. Items of different types may have the same id.
 */
export class Timeline<Item extends { readonly type: string }, Identified extends string> extends List<Item> {
  /** The timeline without items. */
  static override readonly empty: Timeline<never, never> = new Timeline<never, never>(List.empty, Positions.empty);

  readonly #positions: Positions;

  private constructor({ length, shift, root }: List<Item>, positions: Positions) {
    super(length, shift, root);
    this.#positions = positions;
  }

  /**
   * The item with this id as it is now; `undefined` if there is none.
   *
   * ```ts
   * const status = state.timeline.find("tool_call", toolCallId)?.status;
   * ```
   */
  override find<Type extends Identified>(type: Type, id: string): (Item & { readonly type: Type }) | undefined;
  /** The first item that fits, as in an array. */
  override find<S extends Item>(fits: (item: Item, index: number, items: readonly Item[]) => item is S): S | undefined;
  override find(fits: (item: Item, index: number, items: readonly Item[]) => unknown): Item | undefined;
  override find(
    typeOrFits: Identified | ((item: Item, index: number, items: readonly Item[]) => unknown),
    id = "",
  ): Item | undefined {
    if (typeof typeOrFits === "function") return super.find(typeOrFits);
    const position = this.position(typeOrFits, id);
    const item = position === undefined ? undefined : this.at(position);
    return item?.type === typeOrFits ? item : undefined;
  }

  /** The index of the item with this id; `undefined` if there is none. */
  position(type: Identified, id: string): number | undefined {
    return this.#positions.get(keyOf(type, id));
  }

  override append(item: Item): Timeline<Item, Identified> {
    return this.replace(this.length, item);
  }

  override replace(position: number, item: Item): Timeline<Item, Identified> {
    return new Timeline(super.replace(position, item), this.#positions);
  }

  /** A timeline with this item in the place of the one with its id, or at the end. The same one if nothing changes. */
  put(item: Item & { readonly type: Identified }, id: string): Timeline<Item, Identified> {
    const position = this.position(item.type, id);
    if (position === undefined) return this.append(item).register(item.type, id, this.length);
    return this.at(position) === item ? this : this.replace(position, item);
  }

  /** A timeline in which {@link find} returns the item at this index for this id too. */
  register(type: Identified, id: string, position: number): Timeline<Item, Identified> {
    return new Timeline(this, this.#positions.add(keyOf(type, id), position));
  }
}

function keyOf(type: string, id: string): string {
  return `${type} ${id}`;
}
