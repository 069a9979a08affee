import { expect, test } from "vitest";

import { LineSplitter } from "./line-splitter.ts";

function split(...chunks: readonly (string | readonly number[])[]): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const chunk of chunks)
    splitter.push(typeof chunk === "string" ? new TextEncoder().encode(chunk) : Uint8Array.from(chunk));
  splitter.end();
  return lines;
}

test("LineSplitter delivers lines without their ends when chunks are cut anywhere", () => {
  expect(split("a\nb", "c\r", "\n\nd")).toEqual(["a", "bc", "", "d"]);
});

test("LineSplitter joins a character that two chunks share", () => {
  expect(split([0xe2, 0x82], [0xac, 0x0a])).toEqual(["€"]);
});

test("LineSplitter replaces bytes that are not UTF-8", () => {
  expect(split([0x61, 0xff, 0x0a], [0xe2])).toEqual(["a\uFFFD", "\uFFFD"]);
});

test("LineSplitter cuts a line that never ends", () => {
  const lines = split("x".repeat(100_000), "y".repeat(100_000));
  expect(lines.length).toBe(4);
  expect(lines.join("")).toBe("x".repeat(100_000) + "y".repeat(100_000));
});

test("LineSplitter cuts a line that never ends between two characters", () => {
  const lines = split(`x${"😀".repeat(40_000)}`);
  expect(lines.length).toBe(2);
  for (const line of lines) expect(new TextDecoder().decode(new TextEncoder().encode(line))).toBe(line);
});
