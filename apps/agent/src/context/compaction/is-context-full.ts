import type { LanguageModelUsage, ModelMessage } from "ai";

import { estimateTokens } from "./context-size.ts";

/** What is known of a context. Sizes are in tokens. */
export interface Context {
  readonly messages: readonly ModelMessage[];
  /** What the provider has said about the last request. */
  readonly lastUsage: LanguageModelUsage | undefined;
  readonly contextSize: number;
  /** How long an answer may be. Default: not known. */
  readonly maxOutputTokens?: number | undefined;
}

/**
 * Whether the conversation should become shorter before the next request. Not only the request has to fit, the answer has to as
 * well, and models become worse long before their context is full.
 */
export function isContextFull({ messages, lastUsage, contextSize, maxOutputTokens = 0 }: Context): boolean {
  const room = Math.max(contextSize / 2, contextSize - maxOutputTokens);
  return estimateTokens(messages, lastUsage) > Math.min(room, contextSize * 0.8);
}
