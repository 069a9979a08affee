import { expect, test } from "vitest";

import { decodePath } from "./decode-path.ts";

test("decodePath() gives the text of bytes, as it is", () => {
  expect(decodePath(new TextEncoder().encode("/\ufeffé/\ufffd"))).toBe("/\ufeffé/\ufffd");
});

test("decodePath() gives text as it is", () => {
  expect(decodePath("/\ufeffé")).toBe("/\ufeffé");
});

test.each([
  ["bytes that are not UTF-8", Uint8Array.of(0x2f, 0xff)],
  ["text that was made of such", "/\ufffd"],
])("decodePath() refuses %s", (_name, path) => {
  expect(() => decodePath(path)).toThrow(expect.objectContaining({ code: "EILSEQ" }));
});
