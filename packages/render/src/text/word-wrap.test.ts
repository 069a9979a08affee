import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { breakable, textWidth } from "./text-width.ts";
import { WordWrap, wrapWords } from "./word-wrap.ts";

function wrapped(chunks: readonly string[], width: number, column = 0): string {
  const wrap = new WordWrap(() => width);
  wrap.begin(column);
  return chunks.map((chunk) => wrap.push(chunk)).join("") + wrap.end();
}

describe("WordWrap", () => {
  test("breaks between words, also after a prefix", () => {
    expect(wrapped(["one two three"], 8)).toBe("one two\nthree");
    expect(wrapped(["one two three"], 8, 4)).toBe("one\ntwo\nthree");
  });

  test("keeps lines, indentation and words that are too long", () => {
    expect(wrapped(["a\n\n  b  c\n"], 20)).toBe("a\n\n  b  c\n");
    expect(wrapped(["a", "bcdefghij", "kl m"], 5)).toBe("abcdefghijkl\nm");
  });

  test("shows the same however the text is cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom("a", "bc", " ", "\n", "这", "。", "（", "e\u0301", "👩‍💻", "한") })),
        fc.integer({ min: 1, max: 12 }),
        (chunks, width) => {
          const text = wrapped(chunks, width);
          expect(text).toBe(wrapped([chunks.join("")], width));
          expect(text).toBe(wrapped(Array.from(chunks.join("")), width));
          const words = (all: string): string[] => all.split(/\s+/u).filter(Boolean);
          expect(words(text).join("")).toEqual(words(chunks.join("")).join(""));
          for (const line of text.split("\n")) {
            const isOneWord = !line.trim().includes(" ") && breakable(line.trim()).length <= 1;
            expect(textWidth(line) <= width || isOneWord).toBe(true);
          }
        },
      ),
    );
  });

  test("breaks next to wide characters, but not before closing punctuation or after an opening bracket", () => {
    expect(wrapped(["这是一个没有空格的句子"], 10)).toBe("这是一个没\n有空格的句\n子");
    expect(wrapped(["这是一个句。子（子）"], 10)).toBe("这是一个\n句。子\n（子）");
    expect(wrapped(["カタカナデータ"], 10)).toBe("カタカナ\nデータ");
    expect(wrapped(["word漢字 word"], 6)).toBe("word漢\n字\nword");
  });

  test("breaks Korean between words, and keeps accents and pictures with their base", () => {
    expect(wrapped(["한국어 문장"], 8)).toBe("한국어\n문장");
    expect(wrapped(["e\u0301e\u0301 e\u0301"], 4)).toBe("e\u0301e\u0301 e\u0301");
    expect(wrapped(["👩‍💻👩‍💻👩‍💻"], 5)).toBe("👩‍💻👩‍💻\n👩‍💻");
  });

  test("shows text without spaces as it comes, all but its last character", () => {
    const wrap = new WordWrap(() => 10);
    expect(wrap.push("这是一")).toBe("这是");
    expect(wrap.push("个")).toBe("一");
    expect(wrap.push(" ")).toBe("个");
    expect(wrap.push("letters")).toBe("");
    expect(wrap.push("andmore")).toBe("\nlettersandmor");
    expect(wrap.push("y")).toBe("e");
    expect(wrap.end()).toBe("y");
  });

  test("breaks a text that is there as a whole in the same places", () => {
    expect(wrapWords("Commands: /fix  /test\nMode: ask", 15)).toBe("Commands: /fix\n/test\nMode: ask");
  });
});
