import { expect, test } from "vitest";

import { answerOf, kindOf, nameOf } from "./option-words.ts";

test.each([
  ["Allow", "Allow"],
  ["Reject   3 More\n information", "Reject 3 More information"],
  ["", ""],
  ["Always  allow", ""],
  [" \u200B ", ""],
  ["\u202EtcejeR", "<U+202E>tcejeR"],
])("nameOf() names %j %j", (name, shown) => {
  const option = { optionId: "a", name, kind: "allow_always" } as const;
  expect(nameOf(option)).toBe(shown);
  expect(kindOf(option)).toBe("Always allow");
  expect(answerOf(option)).toBe(shown === "" ? "Always allow" : `Always allow: ${shown}`);
});

test.each(["Allow once", "allow", "toString", "\u202Eecno_wolla"])("kindOf() knows no kind %j", (kind) => {
  const option = { optionId: "a", name: "Reject", kind };
  expect(kindOf(option)).toBe("Unknown kind");
  expect(nameOf(option)).toMatch(/^.+ Reject$/u);
});
