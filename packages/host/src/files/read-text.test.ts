import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { LinePicker, type LineRange } from "./line-range.ts";
import { pickLines } from "./read-text.ts";

const all = Infinity;

function pickFromChunks(chunks: readonly string[], range: LineRange): string {
  const picker = new LinePicker(range);
  const picked: Uint8Array[] = [];
  for (const chunk of chunks) {
    if (picker.done) break;
    picked.push(picker.pick(new TextEncoder().encode(chunk)));
  }
  return picked.map((bytes) => new TextDecoder().decode(bytes)).join("");
}

const text = "one\ntwo\r\n\nfour";

describe("pickLines()", () => {
  test.each([
    [{ line: 1, limit: all }, text],
    [{ line: 1, limit: 1 }, "one\n"],
    [{ line: 2, limit: 1 }, "two\r\n"],
    [{ line: 3, limit: 1 }, "\n"],
    [{ line: 3, limit: 2 }, "\nfour"],
    [{ line: 4, limit: 100 }, "four"],
    [{ line: 5, limit: 1 }, ""],
    [{ line: 1, limit: 0 }, ""],
  ])("FS-04: with %j gives %j", (range, expected) => {
    expect(pickLines(text, range)).toBe(expected);
    expect(pickFromChunks([text], range)).toBe(expected);
  });

  test("FS-04: parts read one after another add up to the text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "\n", "\r"), maxLength: 40 }),
        fc.integer({ min: 1, max: 4 }),
        (whole, limit) => {
          const parts = [];
          for (let line = 1; line < 60; line += limit) parts.push(pickLines(whole, { line, limit }));
          expect(parts.join("")).toBe(whole);
        },
      ),
    );
  });
});

describe("LinePicker", () => {
  test("picks the same lines as pickLines(), however the text is cut", () => {
    const chunks = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r\n"), maxLength: 8 }), {
      maxLength: 8,
    });
    const range = fc.record({
      line: fc.integer({ min: 1, max: 8 }),
      limit: fc.oneof(fc.integer({ min: 0, max: 8 }), fc.constant(all)),
    });
    fc.assert(
      fc.property(chunks, range, (parts, lines) => {
        expect(pickFromChunks(parts, lines)).toBe(pickLines(parts.join(""), lines));
      }),
    );
  });
});
