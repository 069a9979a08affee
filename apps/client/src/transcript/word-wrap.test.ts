import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { WordWrap, wrapWords } from "./word-wrap.ts";

function wrapped(chunks: readonly string[], width: number, column = 0): string {
  const wrap = new WordWrap(() => width);
  wrap.begin(column);
  return chunks.map((chunk) => wrap.push(chunk)).join("") + wrap.end();
}

describe("WordWrap", () => {
  test("breaks between words, also behind a prefix", () => {
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
        fc.array(fc.string({ unit: fc.constantFrom("a", "bc", " ", "\n") })),
        fc.integer({ min: 1, max: 12 }),
        (chunks, width) => {
          const text = wrapped(chunks, width);
          expect(text).toBe(wrapped([chunks.join("")], width));
          const words = (all: string): string[] => all.split(/\s+/u).filter(Boolean);
          expect(words(text)).toEqual(words(chunks.join("")));
          for (const line of text.split("\n")) expect(line.length <= width || !line.trim().includes(" ")).toBe(true);
        },
      ),
    );
  });

  test("breaks a text that is there as a whole in the same places", () => {
    expect(wrapWords("Commands: /fix  /test\nMode: ask", 15)).toBe("Commands: /fix\n/test\nMode: ask");
  });
});
