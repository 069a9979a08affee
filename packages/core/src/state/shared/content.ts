import type { List } from "./list.ts";
import { requireObject } from "../../base/require-argument.ts";

/** A content block of either version. */
interface AnyBlock {
  readonly type: unknown;
  readonly text?: unknown;
}

interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

/** A function of this name that remembers the result for each argument. Arguments never change, as lists do. */
export function remember<Key extends object, Value>(name: string, compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    requireObject(key, `${name}() takes a list of the state`, Symbol.iterator);
    let result = known.get(key);
    if (result === undefined) known.set(key, (result = { value: compute(key) }));
    return result.value;
  };
}

/**
 * The text of a message, a summary or the like, without content that is not text.
 *
 * The time it takes grows with the number of chunks; for the same list again, it takes none. To follow a growing message
 * chunk by chunk, use `chunks.slice(count)` instead, or call this once a frame.
 */
export const joinText: (chunks: List<AnyBlock>) => string = remember("joinText", (chunks) => {
  const parts: string[] = [];
  for (const block of chunks) if (isText(block)) parts.push(block.text);
  return parts.join("");
});

/** The content of a message, with adjacent plain texts joined into one block. Costs the same as `joinText`. */
export const joinBlocks: <Block extends AnyBlock>(chunks: List<Block>) => readonly (Block | TextBlock)[] = remember(
  "joinBlocks",
  joinPlainTexts,
);

function joinPlainTexts<Block extends AnyBlock>(chunks: Iterable<Block | TextBlock>): (Block | TextBlock)[] {
  const joined: (Block | TextBlock)[] = [];
  let parts: string[] = [];
  const endText = (): void => {
    if (parts.length > 0) joined.push({ type: "text", text: parts.join("") });
    parts = [];
  };
  for (const block of chunks) {
    if (isPlainText(block)) {
      parts.push(block.text);
      continue;
    }
    endText();
    joined.push(block);
  }
  endText();
  return joined;
}

function isText(block: AnyBlock): block is TextBlock {
  return block.type === "text";
}

/** Whether a block has nothing but its text: annotations belong to one block. */
function isPlainText(block: AnyBlock): block is TextBlock {
  const rest = Object.entries(block).filter(([name]) => name !== "type" && name !== "text");
  return isText(block) && rest.every(([, value]) => value === undefined || value === null);
}
