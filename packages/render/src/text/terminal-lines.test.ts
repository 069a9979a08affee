import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { joinSpans, type Line, textOf } from "./spans.ts";
import { terminalLines, TerminalLines } from "./terminal-lines.ts";

function shown(...pieces: readonly string[]): string[] {
  return drawn(...pieces).map(textOf);
}

function drawn(...pieces: readonly string[]): Line[] {
  return drawnAll(pieces);
}

function drawnAll(pieces: readonly string[]): Line[] {
  const lines: Line[] = [];
  const terminal = new TerminalLines((line) => lines.push(line));
  for (const piece of pieces) terminal.push(piece);
  return terminal.unfinished.length === 0 ? lines : [...lines, terminal.unfinished];
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
        expect(drawn(...text.split("")).map(joinSpans)).toEqual(drawn(text).map(joinSpans));
        expect(shown(...text.split("")).join("")).not.toMatch(/[^ab]/u);
      }),
    );
  });

  test("shows of a line that is written again and again only the last", () => {
    const bar = Array.from({ length: 100 }, (_, index) => `\r\u001B[K${index + 1} %`);
    expect(shown(...bar, "\n", "done\n")).toEqual(["100 %", "done"]);
    expect(shown("1 %\r2 %\r")).toEqual(["2 %"]);
  });

  test("does not hold back text that only looks like a long escape sequence", () => {
    expect(shown(`\u001B]${"a".repeat(5_000)}`)[0]).toMatch(/^a{2000}… \(longer/u);
  });

  test.each([
    ["16 colours", "\u001B[31mr\u001B[102mg\u001B[39;49m-", ["r|fg 31", "g|fg 31,bg 102", "-|"]],
    ["256 colours", "\u001B[38;5;208mo\u001B[48:5:17mb", ["o|fg 38;5;208", "b|fg 38;5;208,bg 48;5;17"]],
    ["true colours", "\u001B[38;2;1;2;3ma\u001B[48:2::4:5:6mb", ["a|fg 38;2;1;2;3", "b|fg 38;2;1;2;3,bg 48;2;4;5;6"]],
    [
      "formats",
      "\u001B[1;4mb\u001B[22;2;7md\u001B[24;27;22;3;9mi",
      ["b|bold,underline", "d|underline,dim,inverse", "i|italic,strikethrough"],
    ],
    [
      "C1 letters, and no parameter for the end",
      "\u009B1mb\u001B[mx\u001B[4:3mu\u001B[4:0mx",
      ["b|bold", "x|", "u|underline", "x|"],
    ],
    [
      "a colour that is none, and what blinks or hides",
      "\u001B[38;5;300;48;2;1;5m\u001B[5;8;1ma\u001B[0;38;9mb",
      ["a|bold", "b|strikethrough"],
    ],
  ])("knows %s", (_, text, spans) => {
    expect(
      drawn(text)
        .flat()
        .map((one) => `${one.text}|${one.formats.join()}`),
    ).toEqual(spans);
  });

  test("a format goes on in the next line", () => {
    expect(drawn("\u001B[1;31mone\ntwo\u001B[0m\n")).toEqual([
      [{ text: "one", formats: ["bold", "fg 31"] }],
      [{ text: "two", formats: ["bold", "fg 31"] }],
    ]);
  });

  test("puts text behind a tab where a terminal does", () => {
    expect(shown("a\tb\n\u001B[31mab\u001B[0m\tc\n12345678\td")).toEqual([
      "a       b",
      "ab      c",
      "12345678        d",
    ]);
  });

  test.each([
    ["the clipboard", "\u001B]52;c;cm0gLXJm\u0007"],
    ["a link", "\u001B]8;;https://evil.test\u001B\\"],
    ["a title", "\u009D0;x\u009C"],
    ["the cursor", "\u001B[2;5H\u001B[1A\u001B[s\u001B7"],
    ["erasing", "\u001B[2J\u001B[3J\u001B[K\u001Bc"],
    ["modes", "\u001B[?1049h\u001B[?25l\u001B[>4;1m\u001B[?1m"],
    ["questions to the terminal", "\u001B[6n\u001B[c\u001BP$q q\u001B\\\u0005"],
    ["a device", "\u001BP1$r0m\u001B\\\u0090q#0\u009C"],
    ["single C1 controls", "\u0084\u0085\u008D\u009B\u009C"],
    ["sequences in each other", "\u001B[3\u001B[1m\u001B]\u001B[31m52;c;x\u0007\u001B[\u001B[m"],
    ["a long sequence", `\u001B[${"1;".repeat(100_000)}m`],
    ["a sequence with odd parameters", "\u001B[38;2;1;2;3;\u0000m\u001B[38;5;<m\u001B[1 q"],
    ["a colour with long numbers", `\u001B[38;5;${"0".repeat(5_000)}1m`],
    ["a sequence that does not end", "\u001B[38;5"],
    ["the direction of text", "\u202E\u2066"],
  ])("nothing of %s is in the text, and only formats are next to it", (_, hostile) => {
    for (const pieces of [[hostile], hostile.match(/[^]{1,3}/gu) ?? []]) {
      const lines = drawnAll(["a", ...pieces, "b\n", "c"]);
      const rest = lines.map(textOf).join("");
      expect(rest).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      expect(rest).toMatch(/^a[^]*b?[^]*$/u);
      const formats = lines.flat().flatMap((one) => one.formats);
      expect(formats.filter((one) => !/^(?:[a-z]+|(?:fg|bg) \d{1,3}(?:;\d{1,3}){0,4})$/u.test(one))).toEqual([]);
    }
  });

  test.each([
    ["sequences", "\u001B[1;38;5;208m"],
    ["coloured letters", "\u001B[31ma\u001B[0m"],
    ["coloured lines", "\u001B[32mok\u001B[0m test\n"],
    ["other colours each time", ""],
    ["tabs", "\t"],
    ["sequences that do not end", "\u001B[3"],
    ["strings that do not end", "\u001B]0;x"],
    ["progress", "\u001B[2K50 %\r"],
  ])("takes a time for 10 MB of %s that grows with their length alone", (_, unit) => {
    const colours = Array.from({ length: 20_000 }, (__, at) => `\u001B[38;2;${at % 256};${at >> 8};7mx`).join("");
    const text = (unit === "" ? colours : unit).repeat(10_000_000 / (unit === "" ? colours : unit).length);
    const before = process.cpuUsage();
    terminalLines(text);
    // The time of this process, since others run at the same time: it takes half a second, and minutes if it was quadratic.
    expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
  });
});
