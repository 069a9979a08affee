import { describe, expect, test } from "vitest";

import { cutLine, printable, printableLine } from "./printable.ts";

describe("printable()", () => {
  test("takes escape sequences, control characters and text direction marks away", () => {
    expect(printable("a\u001B[31mb\u001B[0m\u001B]8;;http://x\u0007c\u0000\u009B2J\u202Ed")).toBe("abcd");
  });

  test.each([
    ["colours", "a\u001B[1;38:5:3mb\u009B0m"],
    ["a title with spaces", "a\u001B]0;a title é\u0007b"],
    ["strings with either end", "a\u001BPx y\u001B\\b\u009Dz z\u009C"],
    ["sets of characters, and what has no parameters", "a\u001B(B\u001B7b\u001B#8\u001Bc"],
    ["the beginning of one", "ab\u001B["],
  ])("takes %s away", (_, text) => {
    expect(printable(text)).toBe("ab");
  });

  test("hides no line after a sequence that does not end", () => {
    expect(printable("\u001B]0;a\nb\u0007c")).toBe("0;a\nbc");
    expect(printable("\u001B[1\nb")).toBe("1\nb");
  });

  // The square of them would take minutes, and fail by the time limit of the test.
  test.each([";#", "[", "\u001B[", "\u001B]x", "\u009D", "1;", " ", "a;"])(
    "treats the start of a million possible sequences, %j, as text",
    (part) => {
      const end = `${part.repeat(1_000_000)}\nend`;
      for (const begin of ["\u001B", "\u001B[", "\u001B]"]) expect(printable(`${begin}${end}`)).toMatch(/\nend$/u);
    },
  );

  test("leaves text, tabs, line breaks and emoji as they are, and no lone carriage return", () => {
    expect(printable("ä\t1\r\n2\r3 👩‍💻")).toBe("ä\t1\n2\n3 👩‍💻");
  });
});

describe("printableLine()", () => {
  test("makes one line of several", () => {
    expect(printableLine(" a\n\n  b\r\nc ")).toBe("a b c");
  });

  test("takes a million spaces in the middle of a line as it takes letters", () => {
    // The square of it would take minutes, and fail by the time limit of the test.
    const title = `x${" ".repeat(1_000_000)}y`;
    expect(printableLine(title)).toBe(title);
  });
});

describe("cutLine()", () => {
  test("cuts a text that is too long, but never splits a character", () => {
    expect(cutLine("x".repeat(2_000))).toBe("x".repeat(2_000));
    expect(cutLine("x".repeat(2_001))).toBe(`${"x".repeat(2_000)}… (longer than 2,000 characters)`);
    expect(cutLine(`${"x".repeat(1_999)}👩`)).toBe(`${"x".repeat(1_999)}… (longer than 2,000 characters)`);
  });
});
