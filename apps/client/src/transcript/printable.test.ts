import { describe, expect, test } from "vitest";

import { printable, printableLine } from "./printable.ts";

describe("printable()", () => {
  test("takes escape sequences, control characters and text direction marks away", () => {
    expect(printable("a\u001B[31mb\u001B[0m\u001B]8;;http://x\u0007c\u0000\u009B2J\u202Ed")).toBe("abcd");
  });

  test("leaves text, tabs, line breaks and emoji as they are, and no lone carriage return", () => {
    expect(printable("ä\t1\r\n2\r3 👩‍💻")).toBe("ä\t1\n2\n3 👩‍💻");
  });
});

describe("printableLine()", () => {
  test("makes one line of several", () => {
    expect(printableLine(" a\n\n  b\r\nc ")).toBe("a b c");
  });
});
