import type { TextBlock } from "../../session/agent/send-content.ts";

/** What may be given as the content of something: text, a block, or several. */
export type Blocks<Block> = string | Block | readonly Block[];

/** What was given, as blocks. */
export function blocksOf<Block extends object>(content: Blocks<Block>): (Block | TextBlock)[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return isList(content) ? [...content] : [content];
}

function isList<Block>(content: Block | readonly Block[]): content is readonly Block[] {
  return Array.isArray(content);
}
