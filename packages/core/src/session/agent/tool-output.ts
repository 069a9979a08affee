import type { TextBlock } from "./send-content.ts";

interface Typed {
  readonly type: string;
}

/** The types that tell the items of a tool call's content from blocks of content. */
export type ItemTypes<Item extends Typed> = Readonly<Record<Item["type"], true>>;

/** Converts a tool's output (text, blocks of content or items of the protocol) to the form on the wire. */
export function toolOutput<Item extends Typed, Block extends Typed>(
  output: string | readonly (Item | Block)[],
  itemTypes: ItemTypes<Item>,
): (Item | { type: "content"; content: Block | TextBlock })[] {
  const isItem = (part: Item | Block): part is Item => Object.hasOwn(itemTypes, part?.type);
  if (typeof output === "string") return [{ type: "content", content: { type: "text", text: output } }];
  // In JavaScript it may be anything: the update is checked.
  if (!Array.isArray(output)) return output as never;
  return output.map((part: Item | Block) => (isItem(part) ? part : { type: "content", content: part }));
}
