import type { ModelMessage } from "ai";
import { expect, test } from "vitest";

import { tokensOf } from "./context-size.ts";
import { dropOutputs } from "./drop-outputs.ts";

function result(id: string, value: string): ModelMessage {
  return {
    role: "tool",
    content: [{ type: "tool-result", toolCallId: id, toolName: "read", output: { type: "text", value } }],
  };
}

const long = "word ".repeat(800); // 1000 tokens

test("the oldest outputs go first, until it is short enough", () => {
  const messages = [result("1", long), result("2", "short"), result("3", long), result("4", long)];
  const [, second, , last] = messages;
  expect(dropOutputs(messages, 1500)).toBe(true);
  expect(tokensOf(messages)).toBeLessThan(1500);
  expect(JSON.stringify(messages[0])).toContain("removed to make room");
  expect(JSON.stringify(messages[2])).toContain("removed to make room");
  expect(messages[1]).toEqual(second);
  expect(messages[3]).toEqual(last);
});

test("nothing goes where there is nothing to gain", () => {
  const messages: ModelMessage[] = [{ role: "user", content: long }, result("1", "short")];
  expect(dropOutputs(messages, 10)).toBe(false);
});
