import { beforeAll, describe, expect, test } from "vitest";

import { type Line, textOf } from "../text/spans.ts";
import { textWidth } from "../text/text-width.ts";
import { sampleMarkdown } from "../testing/samples.ts";
import { loadHighlighter } from "./highlight.ts";
import { MarkdownStream } from "./markdown-stream.ts";

beforeAll(() => loadHighlighter());

/** Draws a whole message. */
function draw(text: string, width = 60): readonly Line[] {
  return new MarkdownStream().draw(text, false, width).done;
}

function show(text: string, width?: number): string {
  return draw(text, width)
    .map((line) => textOf(line).trimEnd())
    .join("\n");
}

/** Draws a message that comes in pieces of this length, and checks that what is final stays so. */
function stream(text: string, length: number, width = 60): string {
  const message = new MarkdownStream();
  const lines: Line[] = [];
  for (let end = 0; end < text.length; end += length) lines.push(...message.draw(text.slice(0, end), true, width).done);
  lines.push(...message.draw(text, false, width).done);
  return lines.map((line) => textOf(line).trimEnd()).join("\n");
}

describe("blocks", () => {
  test("headings, paragraphs, quotes and rules", () => {
    expect(show("# Title\nText of\na paragraph\n\n> said\n> so\n\n---\nend")).toBe(
      ["Title", "", "Text of a paragraph", "", "▎ said so", "", "─".repeat(40), "", "end"].join("\n"),
    );
  });

  test("lists within lists, with numbers and boxes", () => {
    expect(show("3. three\n4. four\n   - a\n     1. deep\n   - b\n\n- [x] done\n- [ ] open")).toBe(
      ["3. three", "4. four", "   ◦ a", "     1. deep", "   ◦ b", "", "[x] done", "[ ] open"].join("\n"),
    );
  });

  test("the text of a list item lines up below its first word", () => {
    expect(show("- one two three", 9)).toBe("• one two\n  three");
  });

  test("tables, with the columns as wide as their widest cell", () => {
    expect(show("| a | number | c |\n|---|--:|:-:|\n| 日本語 | 1 | **x** |\n| b | 22 |\n")).toBe(
      ["a      │ number │ c", "───────┼────────┼──", "日本語 │      1 │ x", "b      │     22 │"].join("\n"),
    );
  });

  test("a table that does not fit wraps its cells, or becomes a list of them", () => {
    const table = "| name | what it does |\n|---|---|\n| a | one two three four five |\n";
    expect(show(table, 20)).toBe(
      ["name │ what it does", "─────┼──────────────", "a    │ one two three", "     │ four five"].join("\n"),
    );
    expect(show(table, 10)).toBe("name: a\nwhat it\ndoes: one\ntwo three\nfour five");
  });

  test("code, with colours for languages that are known", () => {
    const lines = draw("```ts\nconst a = 1; // x\n```");
    expect(textOf(lines[0] ?? [])).toBe("  const a = 1; // x");
    expect(lines[0]).toContainEqual({ text: "const", formats: ["magenta"] });
    expect(lines[0]).toContainEqual({ text: "// x", formats: ["dim"] });
    expect(show("```nonsense\n<b> &amp;\n```")).toBe("  <b> &amp;");
  });
});

describe("text", () => {
  test("emphasis, code and entities", () => {
    const [line] = draw("**b** _i_ ~~s~~ `c &amp;` &lt;tag&gt; \\*");
    expect(textOf(line ?? [])).toBe("b i s c &amp; <tag> *");
    expect(line).toContainEqual({ text: "b", formats: ["bold"] });
  });

  test("links say where they lead", () => {
    expect(show("[here](https://evil.example) <https://a.example> [a](https://a.example/\u202Egnp.exe)", 200)).toBe(
      "here (https://evil.example) https://a.example a (https://a.example/gnp.exe)",
    );
    expect(show("![logo](https://a.example/x.png)")).toBe("[image: logo] (https://a.example/x.png)");
  });

  test("HTML is shown as it is", () => {
    expect(show("a <br> b\n\n<script>alert(1)</script>")).toBe("a <br> b\n\n<script>alert(1)</script>");
  });

  test.each([
    "**a\u001B[2Jb**",
    "`a\u001B]0;x\u0007b`",
    "```\na\u001B[31mb\n```",
    "| a\u0008b |\n|---|\n| \u009B1A |",
    "[a](\u001B[1Ab)",
    "&#27;[2J",
  ])("nothing that acts on a terminal is in the text: %j", (text) => {
    // oxlint-disable-next-line no-control-regex -- it looks for control characters on purpose
    expect(draw(text).map(textOf).join("\n")).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/u);
  });
});

describe("a message that comes in pieces", () => {
  const more = "\n\n- a\n- b\n\n  second\n- c\n\n> q\n\n1. x\n1. y\n1. z\n\n~~~\n```\n~~~\n\nend\n";

  test.each([1, 7, 64, 5_000])("looks like one that comes at once: %i", (length) => {
    const text = sampleMarkdown + more;
    expect(stream(text, length)).toBe(show(text));
  });

  test("long code gets its lines to the scrollback before it ends", () => {
    const code = Array.from({ length: 50 }, (_, at) => `line(${at});`).join("\n");
    const text = `Look:\n\n\`\`\`js\n${code}\n\`\`\`\n\nend`;
    const message = new MarkdownStream();
    const { done, live } = message.draw(text.slice(0, -12), true, 60);
    expect(done.length).toBeGreaterThan(40);
    expect(live.length).toBeLessThan(10);
    expect(stream(text, 9)).toBe(show(text));
  });

  test("code within a comment of several lines keeps its colour", () => {
    const text = `\`\`\`js\n/*\n${"inside\n".repeat(30)}*/\n\`\`\``;
    const message = new MarkdownStream();
    const lines: Line[] = [];
    for (let end = 0; end < text.length; end += 5) lines.push(...message.draw(text.slice(0, end), true, 60).done);
    const inside = lines.filter((line) => textOf(line).includes("inside"));
    expect(inside.length).toBeGreaterThan(15);
    for (const line of inside) expect(line.at(-1)?.formats).toEqual(["dim"]);
  });

  test("the numbers of a list continue", () => {
    const list = Array.from({ length: 12 }, (_, at) => `1. item ${at + 1}`).join("\n");
    expect(stream(list, 10)).toContain("12. item 12");
  });

  test("an unfinished fence is code already", () => {
    const { live } = new MarkdownStream().draw("```js\nlet a", true, 60);
    expect(live.map(textOf)).toEqual(["  let a"]);
  });

  test.each([
    ["word ", 10_000],
    ["x", 50_000],
    ["日本語", 10_000],
    ["| a | b |\n", 3_000],
    ["> quoted text\n", 3_000],
    ["- item\n  - inner\n", 3_000],
  ])("an unterminated sequence does not stay open for long: %j", (piece, count) => {
    const head = piece.startsWith("|") ? "| h | i |\n|---|---|\n" : "";
    const text = head + piece.repeat(count);
    const message = new MarkdownStream();
    let most = 0;
    let end = 0;
    while (end < text.length) {
      end += 4_000;
      const { live } = message.draw(text.slice(0, end), true, 60);
      most = Math.max(most, live.length);
      for (const line of live) expect(textWidth(textOf(line))).toBeLessThanOrEqual(60);
    }
    expect(most).toBeLessThan(600);
  });

  test.each([">".repeat(3_000), "- ".repeat(3_000), "_a_".repeat(1_000), "[".repeat(3_000), "*a ".repeat(1_500)])(
    "hostile text is shown: %.20s",
    (text) => {
      expect(show(text).length).toBeGreaterThan(100);
    },
  );

  test.each([600, 1000])("a table of %d columns comes to its end, also in pieces", (columns) => {
    const rows = ["a", "b"].map((sign) => `|${`${sign}|`.repeat(columns)}\n`.repeat(5));
    const text = rows.join(`|${"-|".repeat(columns)}\n`);
    expect(show(text).match(/b/gu)).toHaveLength(5 * columns);
    expect(stream(text, 1000)).toContain("b");
  });

  test("a very long message is drawn in parts", () => {
    const text = "A sentence of a message.\n\n".repeat(10_000);
    const message = new MarkdownStream();
    let lines = 0;
    for (let isRead = false; !isRead;) {
      const drawn = message.draw(text, false, 60);
      lines += drawn.done.length;
      isRead = drawn.isRead;
    }
    expect(lines).toBe(2 * 10_000 - 1);
  });
});
