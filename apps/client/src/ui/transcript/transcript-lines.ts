import { type Line, MarkdownStream, textOf } from "@acp/render";
import { printable } from "@acp/render/text";

import type { ChatItem, ChatState } from "../chat-state.ts";
import { itemView } from "../view/items/item-view.ts";
import { gapBefore } from "../view/scrollback/scrollback.ts";

/** A line of the transcript, with the number of its item. */
export interface TranscriptLine {
  readonly line: Line;
  readonly item: number;
}

/** Draws items whole. What has not changed since is not drawn again. */
export class TranscriptLines {
  #width = 0;
  #lines = new WeakMap<ChatItem, readonly Line[]>();

  draw({ items: list, cwd }: ChatState, width: number): TranscriptLine[] {
    const items = list.slice();
    if (width !== this.#width) this.#lines = new WeakMap();
    this.#width = width;
    const all: TranscriptLine[] = [];
    for (const [index, item] of items.entries()) {
      const before = items[index - 1];
      let lines = this.#lines.get(item);
      if (lines === undefined) {
        lines = [...gapBefore(item, before), ...wholeItem(item, cwd, width, before)];
        this.#lines.set(item, lines);
      }
      for (const line of lines) all.push({ line, item: index });
    }
    return all;
  }
}

/** The text of an item, without formats: what the agent or the user wrote, or what is drawn. */
export function textOfItem(item: ChatItem, cwd: string): string {
  if ("text" in item) return printable(item.text).trimEnd();
  return wholeItem(item, cwd, 500)
    .map((line) => textOf(line).trimEnd())
    .join("\n");
}

function wholeItem(item: ChatItem, cwd: string, width: number, before?: ChatItem): readonly Line[] {
  if (item.kind !== "agent")
    return itemView(item, { width, cwd, thoughts: "full", now: Date.now(), spinner: "●", isWhole: true }, before);
  const stream = new MarkdownStream();
  const lines: Line[] = [];
  for (;;) {
    const { done, isRead } = stream.draw(item.text, false, width);
    for (const line of done) lines.push(line);
    if (isRead) return lines;
  }
}
