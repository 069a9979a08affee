import { expect, test } from "vitest";

import { describeError } from "./describe-error.ts";

test.each([
  [new Error("boom"), "boom"],
  ["boom", "boom"],
  [undefined, "undefined"],
  [null, "null"],
  [Symbol("s"), "Symbol(s)"],
  // As programs throw that come from a library where this is an error answer.
  [{ code: -32602, message: "boom" }, "boom"],
  [{ code: 3 }, "[object Object]"],
  [Object.create(null), "a value that cannot be shown"],
])("describeThrown(%o) is %s", (thrown, words) => {
  expect(describeError(thrown)).toBe(words);
});
