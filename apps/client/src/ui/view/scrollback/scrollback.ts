import { type Line, span } from "@acp/render";
import { printableLine } from "@acp/render/text";

import type { ChatItem, ChatState } from "../../chat-state.ts";
import type { Drawing } from "../items/drawing.ts";
import { itemView, proseWidth } from "../items/item-view.ts";
import { GrowingMessage } from "./growing-message.ts";

/** What to do with the items of a state. */
export interface DrawnItems {
  /** Lines for the scrollback, which were not returned before. */
  readonly printed: readonly Line[];
  /** Lines of what is alive. */
  readonly live: readonly Line[];
  /** Whether there are more lines for the scrollback. */
  readonly hasMore: boolean;
}

type MessageItem = ChatItem & { readonly kind: "agent" };

/** Decides what goes to the scrollback, in which everything stays as it is, and draws what does not. */
export class Scrollback {
  /** The index of the first item that is not in the scrollback, and the item before it. */
  #next = 0;
  #last: ChatItem | undefined;
  /** Whether a message is longer than what is drawn at once. */
  #isUnread = false;
  readonly #growing = new Map<number, GrowingMessage>();

  /** Draws the items: `rows` lines of what is alive, and `maxLines` for the scrollback, or few more. */
  draw(state: ChatState, drawing: Drawing, rows: number, maxLines = 400): DrawnItems {
    const printed: Line[] = [];
    const end = Math.min(state.firstOpen, state.items.length);
    this.#isUnread = false;
    while (this.#next < end && printed.length < maxLines && !this.#isUnread) {
      this.#print(state.items.at(this.#next), drawing, printed);
    }
    const hasMore = this.#next < end;
    const first = state.items.at(this.#next);
    if (!hasMore && first?.kind === "agent") this.#printGrown(first, drawing, printed);
    const live = hasMore ? [] : this.#liveLines(state, drawing, rows);
    return { printed, live, hasMore: hasMore || this.#isUnread };
  }

  #print(item: ChatItem | undefined, drawing: Drawing, printed: Line[]): void {
    if (item?.kind === "agent") {
      this.#printGrown({ ...item, isOpen: false }, drawing, printed);
      if (this.#isUnread) return;
      this.#growing.delete(item.id);
    } else if (item !== undefined) {
      push(printed, [...gapBefore(item, this.#last), ...itemView(item, drawing, this.#last)]);
    }
    this.#last = item;
    this.#next += 1;
  }

  #printGrown(item: MessageItem, drawing: Drawing, printed: Line[]): void {
    const { lines, isFirst } = this.#message(item, drawing).take();
    if (lines.length === 0) return;
    if (isFirst) push(printed, gapBefore(item, this.#last));
    push(printed, lines);
  }

  #message(item: MessageItem, drawing: Drawing): GrowingMessage {
    const message = this.#growing.get(item.id) ?? new GrowingMessage();
    this.#growing.set(item.id, message);
    message.update(item.text, item.isOpen, proseWidth(drawing.width));
    this.#isUnread ||= !message.isRead;
    return message;
  }

  /** Only the last lines if there are too many. Calls share what the rest leaves. */
  #liveLines({ items, questions }: ChatState, drawing: Drawing, rows: number): Line[] {
    const parts: (readonly Line[])[] = [];
    const [asked] = questions;
    const askedCall = asked?.kind === "permission" ? asked.question.toolCallId : undefined;
    const draw = (isCall: boolean, liveRows: number): void => {
      for (let at = this.#next; at < items.length; at += 1) {
        const item = items.at(at);
        if (item === undefined || (item.kind === "call") !== isCall) continue;
        const before = at === this.#next ? this.#last : items.at(at - 1);
        parts[at - this.#next] = this.#livePart(item, before, { ...drawing, askedCall, liveRows }, rows);
      }
    };
    draw(false, rows);
    const calls = items.length - this.#next - parts.filter(Boolean).length;
    // Each has a heading, and a line is between them and what is above.
    const room = Math.floor((rows - 1 - parts.flat().length) / Math.max(1, calls)) - 1;
    draw(true, Math.max(2, room));
    return parts.flat().slice(-rows);
  }

  #livePart(item: ChatItem, before: ChatItem | undefined, drawing: Drawing, rows: number): readonly Line[] {
    if (item.kind !== "agent") return [...gapBefore(item, before), ...itemView(item, drawing, before)];
    const message = this.#message(item, drawing);
    const lines = message.rest(rows);
    return lines.length === 0 || message.isPrinted ? lines : [...gapBefore(item, before), ...lines];
  }
}

/** What separates an item from the one above it. */
export function gapBefore(item: ChatItem, before: ChatItem | undefined): Line[] {
  const isMoved = item.beside !== before?.beside;
  const label: Line[] =
    isMoved && item.beside !== undefined ? [[span(`» session ${printableLine(item.beside)}`, "cyan")]] : [];
  if (before === undefined) return label;
  // Calls that follow each other are a list.
  const isClose = item.kind === "call" && before.kind === "call" && !isMoved;
  return isClose ? [] : [[], ...label];
}

/** Appends lines, not by spreading: there may be very many. */
function push(lines: Line[], more: readonly Line[]): void {
  for (const line of more) lines.push(line);
}
