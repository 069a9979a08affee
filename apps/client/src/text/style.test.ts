import { span, terminalLines } from "@acp/render";
import { expect, test } from "vitest";

import { createStyle, paint } from "./style.ts";

test("paint formats each span, and removes space at the end", () => {
  expect(paint([span("a", "bold"), span(" ")], createStyle(true, {}))).toBe("\u001B[1ma\u001B[22m");
  expect(paint([span("a", "bold"), span(" ")], createStyle(false, {}))).toBe("a");
});

test("paint lets nothing through that acts on the terminal", () => {
  expect(paint([span("a\u001B[2Jb\r\n\u0007\u202Ec", "bold")], createStyle(true, {}))).toBe("\u001B[1mab  c\u001B[22m");
});

test("NO_COLOR takes the colours of an output, and nothing else", () => {
  const [line = []] = terminalLines("\u001B[1;31;44;38;5;208mx");
  expect(paint(line, createStyle(true, { NO_COLOR: "1" }))).toBe("\u001B[1mx\u001B[22m");
  expect(paint(line, createStyle(false, {}))).toBe("x");
});
