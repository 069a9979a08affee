import type { ContentBlock } from "@acp/schema/v1/types";
import type { List } from "./list.ts";

// By the list, which never changes: whoever shows the same message again does not put it together again.
const texts = new WeakMap<List<ContentBlock>, string>();
const blocks = new WeakMap<List<ContentBlock>, readonly ContentBlock[]>();

/**
 * The text of a message, of a summary or the like. Content that is not text is left out.
 *
 * The time it takes grows with the number of chunks; asked again for the same list, it takes none. To follow a growing
 * message chunk by chunk, use `chunks.slice(count)` instead, or ask once a frame.
 */
export function joinText(chunks: List<ContentBlock>): string {
  const known = texts.get(chunks);
  if (known !== undefined) return known;
  const parts: string[] = [];
  for (const block of chunks) if (block.type === "text") parts.push(block.text);
  const text = parts.join("");
  texts.set(chunks, text);
  return text;
}

/** The content of a message, with adjacent plain texts joined into one block. Costs the same as {@link joinText}. */
export function joinBlocks(chunks: List<ContentBlock>): readonly ContentBlock[] {
  const known = blocks.get(chunks);
  if (known !== undefined) return known;
  const joined: ContentBlock[] = [];
  let parts: string[] = [];
  const endText = (): void => {
    if (parts.length > 0) joined.push({ type: "text", text: parts.join("") });
    parts = [];
  };
  for (const block of chunks) {
    if (block.type === "text" && isPlain(block)) parts.push(block.text);
    else {
      endText();
      joined.push(block);
    }
  }
  endText();
  blocks.set(chunks, joined);
  return joined;
}

/** Whether there is nothing but the text: annotations belong to one block. */
function isPlain(block: object): boolean {
  return Object.entries(block).every(
    ([name, value]) => name === "type" || name === "text" || value === undefined || value === null,
  );
}
