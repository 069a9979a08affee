import { UsageError } from "../../base/errors.ts";

interface Block {
  readonly type: string;
}

/**
 * Returns the blocks of a prompt that is about to be sent by `method`.
 *
 * @throws {UsageError} for anything but a list of content blocks.
 */
export function checkBlocks(method: string, prompt: unknown): readonly Block[] {
  if (!Array.isArray(prompt)) throw new UsageError(`${method}: /prompt: expected a list of content blocks`);
  const blocks: readonly Block[] = prompt;
  const wrong = blocks.findIndex((block: Partial<Block> | null | undefined) => typeof block?.type !== "string");
  if (wrong >= 0) throw new UsageError(`${method}: /prompt/${wrong}: expected a content block, which has a type`);
  return blocks;
}
