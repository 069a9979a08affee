import { describe, expect, test } from "vitest";

import { fillSpans, indent, span, textOf, truncate, withoutTabs, wrapSpans } from "./spans.ts";
import { textWidth } from "./text-width.ts";

const texts = (lines: readonly (readonly ReturnType<typeof span>[])[]): string[] => lines.map(textOf);

describe("wrapSpans", () => {
  test("breaks between words, not where the format changes within one", () => {
    const spans = [span("one "), span("two", "bold"), span(", three four")];
    expect(texts(wrapSpans(spans, 9))).toEqual(["one two,", "three", "four"]);
    expect(wrapSpans(spans, 9)[0]).toEqual([span("one "), span("two", "bold"), span(",")]);
  });

  test("breaks a word that is longer than a line, and continues after it", () => {
    expect(texts(wrapSpans([span("a abcdefghij bc d")], 4))).toEqual(["a", "abcd", "efgh", "ij", "bc d"]);
  });

  test("keeps line breaks, empty lines and indentation", () => {
    expect(texts(wrapSpans([span("a\n\n  b c")], 10))).toEqual(["a", "", "  b c"]);
    expect(texts(wrapSpans([span("")], 10))).toEqual([""]);
  });

  test.each([
    "日本語のテキストです。これは長い。",
    "👩‍💻👩‍💻👩‍💻 emoji 🎉🎉🎉🎉🎉",
    "한국어 문장은 공백이 있습니다",
    "é".repeat(30),
  ])("makes no line wider than asked: %s", (text) => {
    for (const width of [4, 5, 7, 11]) {
      const lines = texts(wrapSpans([span(text)], width));
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
      expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
    }
  });
});

test("fillSpans fills lines as a terminal does", () => {
  expect(texts(fillSpans([span("const a = 1;\n\nab")], 5))).toEqual(["const", " a = ", "1;", "", "ab"]);
  expect(texts(fillSpans([span("日本語")], 5))).toEqual(["日本", "語"]);
});

test("truncate leaves room for the ellipsis", () => {
  expect(textOf(truncate([span("abc", "bold"), span("def")], 5))).toBe("abcd…");
  expect(textOf(truncate([span("日本語")], 4))).toBe("日…");
  expect(textOf(truncate([span("abc")], 3))).toBe("abc");
});

test("indent and withoutTabs", () => {
  expect(texts(indent([[span("a")], [span("b")]], [span("- ")], [span("  ")]))).toEqual(["- a", "  b"]);
  expect(withoutTabs("\ta\n日\tb")).toBe("    a\n日  b");
});
