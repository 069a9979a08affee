import { describe, expect, test } from "vitest";

import { visibleText } from "./visible-text.ts";

describe("visibleText()", () => {
  test.each([
    ["a carriage return", "a\r", String.raw`a\r`],
    ["a line break", "a\nb", String.raw`a\nb`],
    ["an escape sequence", "a\u001B[31mb\u009B", "a<U+001B>[31mb<U+009B>"],
    ["other C1 controls", "a\u0085\u0090b\u009C", "a<U+0085><U+0090>b<U+009C>"],
    ["a backspace and a bell", "a\u0008b\u0007", "a<U+0008>b<U+0007>"],
    ["line and paragraph separators", "a\u2028b\u2029", "a<U+2028>b<U+2029>"],
    ["a text direction mark", "a\u202Eb", "a<U+202E>b"],
    ["an isolate", "a\u2066b\u2069", "a<U+2066>b<U+2069>"],
    ["zero-width text", "a\u200Bb\uFEFF\u00AD\u2060", "a<U+200B>b<U+FEFF><U+00AD><U+2060>"],
    ["a space other than the plain one", "a\u00A0b\u3000", "a<U+00A0>b<U+3000>"],
    ["an empty letter", "a\u3164b", "a<U+3164>b"],
    ["tag characters", "a\u{E0041}", "a<U+E0041>"],
    ["a lone surrogate", "a\uD83D", "a<U+D83D>"],
    ["a joiner outside of emoji", "a\u200Db\uFE0F", "a<U+200D>b<U+FE0F>"],
  ])("escapes %s", (_, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  test("keeps a command inside an escape sequence", () => {
    expect(visibleText('true "\u001B]"; touch X; true "\u0007"; echo tests pass')).toBe(
      'true "<U+001B>]"; touch X; true "<U+0007>"; echo tests pass',
    );
  });

  test("keeps text, tabs and emoji unchanged, at any length", () => {
    for (const text of ["ä\t1 é 漢字", "👩‍💻 👩🏽‍💻 ❤️ 🏳️‍🌈", "x".repeat(100_000)]) {
      expect(visibleText(text)).toBe(text);
    }
  });

  test("marks what it escaped, so that similar text cannot be confused with it", () => {
    expect(visibleText(String.raw`\r` + "\r", (code) => `[${code}]`)).toBe(String.raw`\r[\r]`);
  });
});
