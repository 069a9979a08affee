import { textOf } from "@acp/render";
import { describe, expect, test } from "vitest";

import type { ChatItem } from "../../chat-state.ts";
import { start } from "../testing/sample-states.ts";
import { itemView } from "./item-view.ts";

function show(item: Exclude<ChatItem, { kind: "agent" }>, width = 40, isWhole = false): string[] {
  const drawing = { width, cwd: "/project", thoughts: "folded", now: start, spinner: "⠋", isWhole } as const;
  return itemView(item, drawing).map((line) => textOf(line).trimEnd());
}

describe("an answer", () => {
  const question = 'for name in one two three; do echo "$name"; done';

  test("to a question about a call takes one line: the call is shown as well", () => {
    const item = { id: 1, kind: "answer", question, toolCallId: "c" } as const;
    expect(show({ ...item, answer: "Yes" })).toEqual(["? for name in one two three; do e… → Yes"]);
    expect(show({ ...item, question: "Edit a.txt", answer: "Yes" })).toEqual(["? Edit a.txt → Yes"]);
    const [long = "", ...more] = show({ ...item, answer: "Yes, and do not ask again for such commands" });
    expect(long).toMatch(/^\? for name in one two… → Yes, and/u);
    expect([long.length, more]).toEqual([40, []]);
  });

  test("to another question has all of it", () => {
    expect(show({ id: 1, kind: "answer", question, answer: "accept" })).toEqual([
      "? for name in one two three; do echo",
      '  "$name"; done → accept',
    ]);
  });
});

test("a note has space before the rows of a line, and more if the line is indented", () => {
  const text =
    "The agent has ended by itself, which it should not do\n  a detail of it that takes two rows\n  another one";
  expect(show({ id: 1, kind: "note", level: "error", text }, 30)).toEqual([
    "✗ The agent has ended by",
    "  itself, which it should not",
    "  do",
    "    a detail of it that",
    "      takes two rows",
    "    another one",
  ]);
});

describe("what is long", () => {
  const block = Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n");

  test("in a prompt stays the block that was pasted, between what was typed", () => {
    const item = { id: 1, kind: "user", text: `see\n${block}\nplease`, attachments: [], pasted: [block] } as const;
    expect(show(item)).toEqual(["❯ see", "  [pasted #1: 30 lines]", "  please"]);
    expect(show(item, 40, true)).toHaveLength(32);
    // Typed text stays, however long, and also if it has the character of a marker in it.
    expect(show({ ...item, pasted: [] })).toHaveLength(32);
    expect(show({ ...item, text: `\u{F0000}${block}` })).toEqual(["❯ [pasted #1: 30 lines]"]);
  });

  test("takes one line of a plan that is done, and all of one that is not", () => {
    const entries = [
      { content: "one", status: "completed" },
      { content: "two", status: "completed" },
    ];
    const item = { id: 1, kind: "plan", entries } as const;
    expect(show(item)).toEqual(["Plan 2/2  ✓ all done"]);
    expect(show(item, 40, true)).toEqual(["Plan 2/2", "  ✓ one", "  ✓ two"]);
    expect(show({ ...item, entries: [...entries, { content: "three", status: "pending" }] })).toHaveLength(4);
  });
});
