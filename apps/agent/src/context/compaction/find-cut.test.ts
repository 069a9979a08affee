import type { ModelMessage } from "ai";
import { expect, test } from "vitest";

import { findCut } from "./compact.ts";

const long = "word ".repeat(80); // 100 tokens
const call = { type: "tool-call", toolCallId: "1", toolName: "read", input: {} } as const;
const output = { type: "text", value: long } as const;
const messages: readonly ModelMessage[] = [
  { role: "user", content: long },
  { role: "assistant", content: [call] },
  { role: "tool", content: [{ type: "tool-result", toolCallId: "1", toolName: "read", output }] },
  { role: "assistant", content: long },
  { role: "user", content: long },
];

test.each([
  [0, 5],
  [1, 4],
  [100, 4],
  [250, 3],
  // The result alone would fit, but not without its call.
  [300, 3],
  [320, 1],
  [1000, 0],
])("with %i tokens to keep, the recent part starts at %i", (keep, cut) => {
  expect(findCut(messages, keep)).toBe(cut);
});

test("calls at the end stay, with their results, however long those are", () => {
  expect(findCut(messages.slice(0, 3), 10)).toBe(1);
});
