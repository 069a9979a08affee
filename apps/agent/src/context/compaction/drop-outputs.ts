import type { ModelMessage, ToolModelMessage, ToolResultPart } from "ai";

import { tokensOf, tokensOfOutput } from "./context-size.ts";

/** Shorter outputs are not worth it, in tokens. */
const smallest = 100;

/**
 * Shortens a conversation without a model: the outputs of tools give way to a note, the oldest first, until the messages take no
 * more than `target` tokens. What was said, and which tools were called, stays. Returns whether it has dropped anything.
 */
export function dropOutputs(messages: ModelMessage[], target: number): boolean {
  let tokens = tokensOf(messages);
  let hasDropped = false;
  for (const [index, message] of messages.entries()) {
    if (message.role !== "tool") continue;
    const content: ToolModelMessage["content"] = message.content.map((part) => {
      if (part.type !== "tool-result" || tokens <= target) return part;
      const size = tokensOfOutput(part.output);
      if (size <= smallest) return part;
      tokens -= size;
      hasDropped = true;
      return withoutOutput(part);
    });
    // Another message: the journal may still have to write the one before.
    messages[index] = { ...message, content };
  }
  return hasDropped;
}

const note =
  "[This output was removed to make room. If you need it, call the tool again, and ask for less if it was long.]";

function withoutOutput(part: ToolResultPart): ToolResultPart {
  return { ...part, output: { type: "text", value: note } };
}
