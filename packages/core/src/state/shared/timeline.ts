import { List } from "./list.ts";
import { type Positions, positionOf, withPosition } from "./positions.ts";
import type {
  CompactionItem,
  IdentifiedPlanItem,
  MessageItem,
  SessionMessageItem,
  SubagentItem,
  ToolCallItem,
} from "../v1/timeline-items.ts";

/** Items with an id of their own. Ids are compared among items of one type. */
type ItemWithId = MessageItem | ToolCallItem | CompactionItem | IdentifiedPlanItem | SubagentItem | SessionMessageItem;

/**
 * What a user sees of a session, in order of appearance. Never changes, like a {@link List}, and is read like one; `find`
 * gives an item by its id.
 */
export class Timeline<
  Item extends { readonly type: string },
  /** The types of items that have an id. */
  Identified extends string = ItemWithId["type"],
> implements Iterable<Item> {
  /** The timeline without items. */
  static readonly empty: Timeline<never, never> = new Timeline<never, never>(List.empty, undefined);

  // Not private: timelines are equal if their items are, also to what compares members only.
  /** The items as a list. */
  readonly items: List<Item>;
  /** For {@link find}: the indexes of items with an id. */
  readonly positions: Positions | undefined;

  private constructor(items: List<Item>, positions: Positions | undefined) {
    this.items = items;
    this.positions = positions;
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
    return positionOf(this.positions, keyOf(type, id));
  }

  /** A timeline with another item at the end. */
  append(item: Item): Timeline<Item, Identified> {
    return this.replace(this.length, item);
  }

  /** A timeline with another item at this index. */
  replace(position: number, item: Item): Timeline<Item, Identified> {
    return new Timeline(this.items.replace(position, item), this.positions);
  }

  /** A timeline in which {@link find} gives the item at this index for this id. */
  register(type: Identified, id: string, position: number): Timeline<Item, Identified> {
    return new Timeline(this.items, withPosition(this.positions, keyOf(type, id), position));
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
