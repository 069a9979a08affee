import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { OutputBuffer } from "./output-buffer.ts";

const encoder = new TextEncoder();

function filled(limit: number, ...chunks: readonly (string | Uint8Array)[]): OutputBuffer {
  const buffer = new OutputBuffer(limit);
  for (const chunk of chunks) buffer.push(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
  return buffer;
}

describe("OutputBuffer", () => {
  test("text() gives everything when it fits", () => {
    const buffer = filled(10, "hello", "world");
    expect(buffer.text(true)).toBe("helloworld");
    expect(buffer.truncated).toBe(false);
  });

  test("TERM-06: text() gives the last bytes when there are more", () => {
    const buffer = filled(8, "hello", "world", "!");
    expect(buffer.text(true)).toBe("loworld!");
    expect(buffer.truncated).toBe(true);
  });

  test("text() gives the end of a chunk that is larger than the limit", () => {
    expect(filled(3, "a", "bcdefgh", "i").text(true)).toBe("ghi");
  });

  test("text() gives nothing when the limit is 0", () => {
    const buffer = filled(0, "a");
    expect(buffer.text(true)).toBe("");
    expect(buffer.truncated).toBe(true);
    expect(filled(0).truncated).toBe(false);
  });

  test("TERM-07: text() starts at a character when one was cut", () => {
    expect(filled(4, "é€😀").text(true)).toBe("😀");
    expect(filled(5, "é€😀").text(true)).toBe("😀");
    expect(filled(6, "é€😀").text(true)).toBe("😀");
    expect(filled(7, "é€😀").text(true)).toBe("€😀");
  });

  test("text() leaves out a character that is still arriving, unless the output is complete", () => {
    const bytes = encoder.encode("a😀");
    for (let end = 2; end < bytes.length; end += 1) {
      const buffer = filled(100, bytes.subarray(0, end));
      expect(buffer.text(false)).toBe("a");
      expect(buffer.text(true)).toBe("a\uFFFD");
      buffer.push(bytes.subarray(end));
      expect(buffer.text(false)).toBe("a😀");
    }
  });

  test("text() keeps a byte order mark", () => {
    expect(filled(100, "\uFEFFa").text(true)).toBe("\uFEFFa");
  });

  test("TERM-06: text() stays within the limit when the bytes are not UTF-8", () => {
    const buffer = filled(10, new Uint8Array(10).fill(0xff));
    expect(encoder.encode(buffer.text(true)).length).toBeLessThanOrEqual(10);
    expect(buffer.truncated).toBe(true);
  });

  test("push() keeps no reference to its chunk", () => {
    const chunk = encoder.encode("abc");
    const buffer = filled(10, chunk);
    chunk.fill(0);
    expect(buffer.text(true)).toBe("abc");
  });

  test("TERM-06, TERM-07: text() is the longest end of the output within the limit, however it is cut", () => {
    const output = fc.array(fc.string({ unit: "binary", maxLength: 12 }), { maxLength: 30 });
    fc.assert(
      fc.property(output, fc.integer({ min: 0, max: 64 }), (parts, limit) => {
        const whole = parts.join("");
        const buffer = filled(limit, ...parts);
        const text = buffer.text(true);
        const size = encoder.encode(whole).length;
        expect(whole.endsWith(text)).toBe(true);
        expect(buffer.truncated).toBe(size > limit);
        const kept = encoder.encode(text).length;
        expect(kept).toBeLessThanOrEqual(limit);
        if (size > limit) expect(kept).toBeGreaterThan(limit - 4);
        else expect(text).toBe(whole);
      }),
    );
  });
});
