import { expect, test } from "vitest";

import { createConversation, notePrompt } from "./conversation.ts";

test("notePrompt() makes the title of the first prompt, and only of that", () => {
  const conversation = createConversation("s", "/project");
  expect(notePrompt(conversation, `  ${"word ".repeat(20)}\nmore`)).toHaveLength(60);
  expect(notePrompt(conversation, "another")).toBeUndefined();
  expect(conversation.title).toMatch(/^word word .*…$/u);
});

test("notePrompt() leaves no half of a character in a title", () => {
  expect(notePrompt(createConversation("s", "/project"), `${"a".repeat(58)}😀😀😀`)).toBe(`${"a".repeat(58)}…`);
});
