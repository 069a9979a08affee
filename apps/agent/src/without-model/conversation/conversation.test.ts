import { expect, test } from "vitest";

import { createConversation, updateSessionInfo } from "./conversation.ts";

test("updateSessionInfo() takes the title from the first prompt only", () => {
  const conversation = createConversation("s", "/project");
  expect(updateSessionInfo(conversation, `  ${"word ".repeat(20)}\nmore`)).toHaveLength(60);
  expect(updateSessionInfo(conversation, "another")).toBeUndefined();
  expect(conversation.title).toMatch(/^word word .*…$/u);
});

test("updateSessionInfo() cuts no character of a title in half", () => {
  expect(updateSessionInfo(createConversation("s", "/project"), `${"a".repeat(58)}😀😀😀`)).toBe(`${"a".repeat(58)}…`);
});
