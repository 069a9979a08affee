import { expect, test } from "vitest";

import { boundResult } from "./bound-result.ts";

const bound = (...content: readonly object[]): readonly object[] =>
  boundResult({ content: content as { type: string }[], isError: false, structured: undefined }).content;

test("a small result stays as it is", () => {
  const result = { content: [{ type: "text", text: "a" }], isError: true, structured: { a: 1 } };
  expect(boundResult(result)).toEqual(result);
});

test("limits all texts together, and reports the omitted part", () => {
  const [first, second] = bound({ type: "text", text: "x".repeat(90_000) }, { type: "text", text: "y".repeat(90_000) });
  expect(first).toEqual({ type: "text", text: "x".repeat(90_000) });
  expect(second).toEqual({ type: "text", text: `${"y".repeat(10_000)}\n[80000 of 90000 characters were left out.]` });
});

test("images, files and structured results are left out whole", () => {
  const data = "A".repeat(9_000_000);
  const blob = { uri: "file:///a.bin", blob: data };
  expect(bound({ type: "image", data, mimeType: "image/png" }, { type: "resource", resource: blob })).toEqual([
    { type: "text", text: "[image of 9000000 characters: left out]" },
    { type: "text", text: "[file:///a.bin of 9000000 characters: left out]" },
  ]);
  const structured = { list: Array.from({ length: 100_000 }, () => "a") };
  expect(boundResult({ content: [], isError: false, structured })).toEqual({
    content: [{ type: "text", text: "The structured result of 400010 characters was left out." }],
    isError: false,
    structured: undefined,
  });
});

test("thousands of pieces are bounded", () => {
  const content = bound(...Array.from({ length: 5_000 }, () => ({ type: "text", text: "a" })));
  expect(content).toHaveLength(201);
  expect(content.at(-1)).toEqual({ type: "text", text: "4800 more pieces of content were left out." });
});
