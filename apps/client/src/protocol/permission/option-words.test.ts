import { expect, test } from "vitest";

import { kindOf, nameOf } from "./option-words.ts";

test.each([
  ["Allow", "Allow"],
  ["Reject   3 More\n information", "Reject 3 More information"],
  ["", "allow always"],
  [" \u200B ", "allow always"],
])("nameOf() names %j %j", (name, shown) => {
  const option = { optionId: "a", name, kind: "allow_always" } as const;
  expect(nameOf(option)).toBe(shown);
  expect(kindOf(option)).toBe("allow always");
});
