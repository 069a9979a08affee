import type { ContentBlock } from "@acp/schema/v1/types";
import { UsageError } from "../../base/errors.ts";

/**
 * What a prompt is made of, as far as it is looked into before it is sent.
 *
 * @throws {UsageError} for what is no list of content blocks.
 */
export function checkBlocks(prompt: unknown): asserts prompt is readonly ContentBlock[] {
  if (!Array.isArray(prompt)) throw new UsageError("session/prompt: /prompt: expected a list of content blocks");
  const wrong = prompt.findIndex((block: Partial<ContentBlock> | null | undefined) => typeof block?.type !== "string");
  if (wrong >= 0) throw new UsageError(`session/prompt: /prompt/${wrong}: expected a content block, which has a type`);
}
