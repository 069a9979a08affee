import { describe, expect, test } from "vitest";

import { visibleText } from "./visible-text.ts";

describe("visibleText()", () => {
  test.each([
    ["a carriage return", "a\r", "a<U+000D>"],
    ["a line break", "a\nb", "a<U+000A>b"],
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
    ["a joiner behind an emoji", "👩\u200Drm", "👩<U+200D>rm"],
    ["blank letters", "a\u2800b\uFFA0c\u115F\u{13441}", "a<U+2800>b<U+FFA0>c<U+115F><U+13441>"],
    ["variation selectors", "a\uFE00b\u{E0100}", "a<U+FE00>b<U+E0100>"],
    ["a Cyrillic letter in a Latin word", "n\u0440m test", "n<U+0440>m test"],
    ["a Greek letter in a Latin word", "b\u03BFb", "b<U+03BF>b"],
    ["a Hebrew letter in a Latin word", "a\u05D0b", "a<U+05D0>b"],
    ["alphabets that are mixed without Latin", "\u0440\u03BF", "\u0440<U+03BF>"],
    ["wide letters", "\uFF52\uFF4D -rf", "<U+FF52><U+FF4D> -rf"],
    ["a wide letter beside others, in any text", "r\uFF4D 漢字", "r<U+FF4D> 漢字"],
    ["mathematical letters", "\u{1D42B}\u{1D426} x", "<U+1D42B><U+1D426> x"],
    ["ligatures and other forms of letters", "\uFB01le \u212A", "<U+FB01>le <U+212A>"],
    ["signs that pass for a slash or a colon", "/etc\u2215passwd c\uA789", "/etc<U+2215>passwd c<U+A789>"],
    ["a digit of another script", "10\u0661", "10<U+0661>"],
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

  test.each([
    "привет, мир: git коммит file_имя",
    "日本語のnpmを実行、ＡＰＩ（テスト）！",
    "한국어git 中文npm；ใช้npm",
    "naïve café Straße C’est l’été – 5 µm, m², 1ª",
    "Ελληνικά κείμενα, שלום עולם, مرحبا ١٢٣",
  ])("keeps the characters of languages: %s", (text) => {
    expect(visibleText(text)).toBe(text);
  });

  test("marks escaped text, so that similar text cannot be confused with it", () => {
    expect(visibleText("<U+000D>\r", (code) => `[${code}]`)).toBe("<U+000D>[<U+000D>]");
  });
});
