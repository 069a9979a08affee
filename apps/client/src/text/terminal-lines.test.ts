import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { TerminalLines } from "./terminal-lines.ts";

function shown(...pieces: readonly string[]): string[] {
  const lines: string[] = [];
  const terminal = new TerminalLines((line) => lines.push(line));
  for (const piece of pieces) terminal.push(piece);
  terminal.flush();
  return lines;
}

describe("TerminalLines", () => {
  test("has lines, the last one without its end", () => {
    expect(shown("a\n\nb\r\nc")).toEqual(["a", "", "b", "c"]);
  });

  test("shows the same however the output is cut", () => {
    const piece = fc.constantFrom(
      "a",
      "b",
      "\n",
      "\r",
      "\u001B[31m",
      "\u001B]0;title\u0007",
      "\u001B]8;;x\u001B\\",
      "\u009B1K",
      "\u001B(B",
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join("");
        expect(shown(...text.split(""))).toEqual(shown(text));
        expect(shown(...text.split("")).join("")).not.toMatch(/[^ab]/u);
      }),
    );
  });

  test("shows of a line that is written again and again only the last", () => {
    const bar = Array.from({ length: 100 }, (_, index) => `\r\u001B[K${index + 1} %`);
    expect(shown(...bar, "\n", "done\n")).toEqual(["100 %", "done"]);
    expect(shown("1 %\r2 %\r")).toEqual(["2 %"]);
  });

  test("pause() shows an unfinished line, and later only its rest", () => {
    const lines: string[] = [];
    const terminal = new TerminalLines((line) => lines.push(line));
    terminal.push("Password: ");
    expect(lines).toEqual([]);
    terminal.pause();
    terminal.pause();
    expect(lines).toEqual(["Password: "]);
    terminal.push("\nchecking… ");
    terminal.pause();
    terminal.push("right\n");
    expect(lines).toEqual(["Password: ", "checking… ", "right"]);
  });

  test("pause() does not show each state of a progress bar", () => {
    const lines: string[] = [];
    const terminal = new TerminalLines((line) => lines.push(line));
    for (const state of ["1 %", "\r2 %", "\r3 %", "\r4 %\n"]) {
      terminal.push(state);
      terminal.pause();
    }
    expect(lines).toEqual(["1 %", "4 %"]);
  });

  test("does not hold back text that only looks like a long escape sequence", () => {
    expect(shown(`\u001B]${"a".repeat(5_000)}`)[0]?.slice(-3)).toBe("aaa");
  });
});
