import type { Usage } from "@acp/schema/v1/unstable/types";
import type { LanguageModelUsage } from "ai";

/** Tokens in the words of the protocol. What the provider does not count is left out. */
export function toUsage({ inputTokens = 0, outputTokens = 0, ...usage }: LanguageModelUsage): Usage {
  const { cacheReadTokens, cacheWriteTokens } = usage.inputTokenDetails;
  const { reasoningTokens } = usage.outputTokenDetails;
  return {
    totalTokens: inputTokens + outputTokens,
    inputTokens,
    outputTokens,
    ...(cacheReadTokens === undefined ? {} : { cachedReadTokens: cacheReadTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cachedWriteTokens: cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { thoughtTokens: reasoningTokens }),
  };
}
