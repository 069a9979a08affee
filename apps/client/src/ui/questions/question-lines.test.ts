import { textOf } from "@acp/render";
import { expect, test } from "vitest";

import { questionRows } from "./question-lines.ts";

test("the text next to a label has its own column", () => {
  const line = { text: "delete a word, to the begin, to the end", tone: "plain", indent: 2 } as const;
  const rows = (label: string): string[] =>
    questionRows([{ ...line, label: { text: label, width: 10 } }], 32).map((row) => textOf(row).trimEnd());
  expect(rows("Ctrl-W")).toEqual(["  Ctrl-W    delete a word, to", "            the begin, to the", "            end"]);
  expect(rows("/review <file>")).toEqual([
    "  /review <file>",
    "            delete a word, to",
    "            the begin, to the",
    "            end",
  ]);
});
