import { beforeAll, describe, expect, test } from "vitest";

import type { ShownCall } from "../shown.ts";
import { type Line, textOf } from "../text/spans.ts";
import { sampleCall } from "../testing/samples.ts";
import { loadHighlighter } from "../markdown/highlight.ts";
import { outputLines } from "./output.ts";

beforeAll(loadHighlighter);

function drawn(kind: string, more: Partial<ShownCall>): readonly Line[] {
  return outputLines(sampleCall("Do it", { kind, ...more }), () => true, 40).lines;
}

const content = (...texts: readonly string[]): Partial<ShownCall> => ({
  content: texts.map((text) => ({ kind: "content", content: { type: "text", text } })),
});

function shown(kind: string, ...texts: readonly string[]): string[] {
  return drawn(kind, content(...texts)).map(textOf);
}

const log =
  "# build 12\n* step one\n* step two __init__\n1. three\n- **** done ****\n   indented `x`\n> quoted\n\n\ntwo_words_here";

describe("a text of a call", () => {
  test.each(["execute", "read", "search", "fetch", "other", "think"])("that is a log stays as it is: %s", (kind) => {
    expect(shown(kind, log)).toEqual(log.split("\n"));
  });

  test.each([
    ["a file with a fence", "read", "# Title\n\nSome **bold**\n\n```ts\nx\n```\nmore"],
    ["a comment and a list", "other", "# a comment\n- item\n- item 2"],
    ["lines with globs", "other", "a/**/b and c/**\nd/**/e"],
    ["a table of a database", "other", " id | name\n----+-----\n  1 | x"],
    ["an operator", "other", "2**3 and 4 ** 5\n# x"],
  ])("that only looks like Markdown stays as it is: %s", (_, kind, text) => {
    expect(shown(kind, text)).toEqual(text.split("\n"));
  });

  test("that is plainly Markdown is drawn as such", () => {
    expect(shown("fetch", "## Found\n\n- the **answer** is 42\n- more")).toEqual([
      "Found",
      "",
      "• the answer is 42",
      "• more",
    ]);
    expect(shown("other", "See [the page](https://a.test/x).")).toEqual(["See the page (https://a.test/x)."]);
    expect(shown("think", "| a | b |\n|---|--:|\n| 1 | 2 |")).toEqual(["a │ b", "──┼──", "1 │ 2"]);
    expect(shown("other", "First:\n\n```\na  b\n```\n\nthen:\n\n```\nc\n```")).toEqual([
      "First:",
      "",
      "  a  b",
      "",
      "then:",
      "",
      "  c",
    ]);
  });

  test("in a fence is drawn without it, with the colours of its language", () => {
    const [line = []] = drawn("read", content("```ts\nconst x = 1;\n```"));
    expect(textOf(line)).toBe("const x = 1;");
    expect(line).toContainEqual({ text: "const", formats: ["magenta"] });
    expect(shown("execute", "```console\n# not a title\n* a\n```")).toEqual(["# not a title", "* a"]);
    expect(shown("execute", "```\nnot closed")).toEqual(["not closed"]);
    expect(shown("execute", "~~~~\n```\n~~~\n~~~~\n")).toEqual(["```", "~~~"]);
  });

  test("has the colours that a command has printed, in a fence too, and the last state of lines that it rewrites", () => {
    const printed = "\u001B[32mok\u001B[0m 1\n10 %\r\u001B[K100 %\n";
    const lines = [
      [
        { text: "ok", formats: ["fg 32"] },
        { text: " 1", formats: [] },
      ],
      [{ text: "100 %", formats: [] }],
    ];
    expect(drawn("execute", content(printed))).toEqual(lines);
    expect(drawn("execute", content(`\`\`\`console\n${printed}\`\`\``))).toEqual(lines);
    expect(drawn("execute", content(`\`\`\`ts\n${printed}\`\`\``))).toEqual(lines);
    expect(drawn("other", { output: () => ({ text: `**${printed}**` }) }).map(textOf)).toEqual([
      "**ok 1",
      "100 %",
      "**",
    ]);
  });

  test("never acts on the terminal, whatever it is drawn as", () => {
    const hostile = "\u001B]52;c;eA==\u0007\u001B]8;;https://evil.test\u001B\\x\u009B2J\u202E\u0008";
    for (const text of [hostile, `\`\`\`js\n"${hostile}"\n\`\`\``, `**a** ${hostile}`, `# T\n\n- **a** ${hostile}`]) {
      for (const kind of ["execute", "other"]) {
        expect(shown(kind, text).join("\n")).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
      }
    }
  });

  test.each([
    ["pipes", "|"],
    ["fences", "```\n"],
    ["stars", "**a"],
    ["links", "](https://a"],
    ["spaces", "| \n"],
    ["line breaks", "\n"],
    ["dashes", "|-"],
  ])("with many %s takes no time", (_, unit) => {
    const before = process.cpuUsage();
    for (const kind of ["other", "execute"])
      shown(kind, unit.repeat(Math.floor(59_000 / unit.length)), `${unit.repeat(1e6)}x`);
    expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
  });
});
