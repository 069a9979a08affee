import { expect, test } from "vitest";

import { jsonText } from "./json-text.ts";

test.each([
  ["C1 controls", "a\u009B8mb\u0085", String.raw`"a\u009b8mb\u0085"`],
  ["bidi marks", "\u202Ea\u2066\u061C", String.raw`"\u202ea\u2066\u061c"`],
  ["what has no width", "a\u200Bb\uFEFF\u00AD", String.raw`"a\u200bb\ufeff\u00ad"`],
  ["blank letters and other spaces", "a\u2800\u3164\u00A0\u3000", String.raw`"a\u2800\u3164\u00a0\u3000"`],
  ["tags and variation selectors", "a\u{E0041}\uFE0F", String.raw`"a\udb40\udc41\ufe0f"`],
  ["line separators", "a\u2028b\u2029", String.raw`"a\u2028b\u2029"`],
])("jsonText() escapes %s", (_, text, json) => {
  expect(jsonText(text)).toBe(json);
  expect(JSON.parse(json)).toBe(text);
});

test("jsonText() keeps text and its own layout", () => {
  expect(jsonText({ a: ["é漢 😀"] }, 2)).toBe('{\n  "a": [\n    "é漢 😀"\n  ]\n}');
});
