import type { LanguageModelUsage, ModelMessage } from "ai";
import { expect, test } from "vitest";

import { estimateTokens, tokensOf } from "./context-size.ts";
import { isContextFull } from "./is-context-full.ts";

const text = "word ".repeat(80); // 100 tokens
const messages: readonly ModelMessage[] = [
  { role: "user", content: text },
  { role: "assistant", content: text },
  { role: "user", content: text },
];
const lastUsage = { totalTokens: 5000 } as LanguageModelUsage;

test("text added since the last answer counts on top of the provider's figure", () => {
  expect(estimateTokens(messages, lastUsage)).toBe(5100);
});

test("without a word of the provider everything is estimated, and the system prompt", () => {
  expect(estimateTokens(messages)).toBeGreaterThan(1000);
  expect(estimateTokens([...messages, ...messages]) - estimateTokens(messages)).toBe(300);
});

test("an image counts as one, and not by its length", () => {
  const image: ModelMessage = {
    role: "user",
    content: [{ type: "file", mediaType: "image/png", data: "A".repeat(1_000_000) }],
  };
  expect(tokensOf([image])).toBeLessThan(5000);
});

test.each([
  [10_000, undefined, false],
  [6000, undefined, true],
  // The answer would not fit any more.
  [10_000, 5000, true],
  // Half of the context is free for the conversation, whatever the answer may take.
  [11_000, 11_000, false],
])("with a context of %i, and answers of %s, it is full: %s", (contextSize, maxOutputTokens, isFull) => {
  expect(isContextFull({ messages, lastUsage, contextSize, maxOutputTokens })).toBe(isFull);
});
