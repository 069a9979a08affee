import { expect, test } from "vitest";

import { titleOf } from "./run-prompt.ts";

test("the title is the first line of the text", () => {
  expect(titleOf([{ type: "text", text: "\n Fix the tests \nof the parser" }])).toBe("Fix the tests");
  expect(titleOf([{ type: "text", text: "a".repeat(80) }])).toBe(`${"a".repeat(59)}…`);
});

test("a prompt without text gives none", () => {
  expect(titleOf([{ type: "image", data: "aQ==", mimeType: "image/png" }])).toBeUndefined();
});
