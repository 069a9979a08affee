import { expect, test } from "vitest";

import { SafeText } from "./terminal-lines.ts";

/** Every way to cut a text in two. */
function inPieces(text: string): string[] {
  return Array.from({ length: text.length + 1 }, (_, at) => {
    const safe = new SafeText();
    return safe.push(text.slice(0, at)) + safe.push(text.slice(at)) + safe.end();
  });
}

test.each([
  ["a\u001B[31mred\u001B[0m", "ared"],
  ["a\u001B]0;title\u0007b", "ab"],
  ["a\u001B]8;;https://example.com\u001B\\b", "ab"],
  ["a\r\nb\rc", "a\nb\nc"],
  ["a\u009B2Jb\u202Ec", "abc"],
])("removes sequences that could act on the terminal, wherever a piece ends: %j", (text, shown) => {
  expect(new Set(inPieces(text))).toEqual(new Set([shown]));
});

test("does not wait for the end of a sequence without an end", () => {
  const safe = new SafeText();
  const text = `\u001B]0;${"x".repeat(10_000)}`;
  expect(safe.push(text)).toContain("xxx");
});
