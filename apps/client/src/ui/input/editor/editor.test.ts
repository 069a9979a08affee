import { charactersOf, textWidth } from "@acp/render";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { type Key, plainKey, textKeys } from "../keys.ts";
import { editByKey } from "./edit-keys.ts";
import { type Editor, emptyEditor, fullText, insert, moveTo, paste, withText } from "./editor.ts";
import { moveByRows, placeOf, rowsOf } from "./rows.ts";

const pieces = ["a", "word", " ", "\n", "é", "e\u0301", "日本", "👩‍💻", "🇩🇪🇫🇷", "👍🏽", "\t", "한국", "x".repeat(30)];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(""));
const ctrl = (name: string): Key => ({ ...plainKey(name), ctrl: true });
const alt = (name: string): Key => ({ ...plainKey(name), alt: true });
const typed = (value: string): Key => ({ ...plainKey("text"), text: value });
const keys: readonly Key[] = [
  ...["left", "right", "home", "end", "backspace", "delete"].map(plainKey),
  ...["a", "e", "k", "u", "w", "y", "_", "j", "left", "right"].map(ctrl),
  ...["b", "f", "d", "backspace"].map(alt),
  ...["x", " ", "日", "👩‍💻", "\u0301"].map(typed),
];

function press(editor: Editor, ...pressed: readonly Key[]): Editor {
  return pressed.reduce((one, key) => editByKey(one, key) ?? one, editor);
}

/** All offsets between two characters. */
function boundaries(value: string): Set<number> {
  const offsets = new Set([0]);
  let at = 0;
  for (const line of value.split(/(\n)/u)) {
    for (const character of charactersOf(line)) offsets.add((at += character.length));
  }
  return offsets;
}

test("the cursor is between two characters after any keys, and never beyond the text", () => {
  fc.assert(
    fc.property(text, fc.array(fc.constantFrom(...keys), { maxLength: 40 }), (start, pressed) => {
      let editor = withText(emptyEditor, start);
      for (const key of pressed) {
        editor = press(editor, key);
        expect(boundaries(editor.text)).toContain(editor.cursor);
      }
    }),
  );
});

test("rows have all of the text, and none is wider than the screen if its characters are not", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 4, max: 40 }), (value, width) => {
      const rows = rowsOf({ text: value, pasted: [] }, width);
      const lines = value.split("\n");
      expect(rows.flatMap(({ characters }) => characters.map(({ source }) => source)).join("")).toBe(lines.join(""));
      for (const { characters } of rows) {
        expect(characters.reduce((sum, one) => sum + one.width, 0)).toBeLessThanOrEqual(width);
      }
    }),
  );
});

test("down and up again leads to the same row, and each offset has one place", () => {
  fc.assert(
    fc.property(text, fc.nat(), fc.integer({ min: 4, max: 40 }), (value, offset, width) => {
      const offsets = [...boundaries(value)];
      const editor = moveTo(withText(emptyEditor, value), offsets[offset % offsets.length] ?? 0);
      const rows = rowsOf(editor, width);
      const below = moveByRows(editor, width, 1);
      if (below === undefined) return;
      expect(boundaries(value)).toContain(below.cursor);
      expect(placeOf(rows, below.cursor).row).toBe(placeOf(rows, editor.cursor).row + 1);
      const back = moveByRows(below, width, -1);
      expect(back === undefined ? undefined : placeOf(rows, back.cursor)).toEqual(placeOf(rows, editor.cursor));
    }),
  );
});

test("undo restores earlier text, step by step", () => {
  fc.assert(
    fc.property(
      text,
      fc.array(fc.constantFrom(...keys.filter(({ name }) => name !== "_")), { maxLength: 30 }),
      (start, pressed) => {
        let editor = press(withText(emptyEditor, start), ...pressed);
        while (editor.before.length > 0) editor = press(editor, ctrl("_"));
        expect(editor.text).toBe(start);
      },
    ),
  );
});

test.each<[string, readonly Key[], string]>([
  ["word moves", [alt("b"), typed("X"), alt("b"), alt("f"), typed("Y")], "one two XthreeY"],
  ["Ctrl-A and Ctrl-E", [ctrl("a"), typed("X"), ctrl("e"), typed("Y")], "Xone two threeY"],
  ["Ctrl-W takes what is between spaces", [typed("/a.b"), ctrl("w")], "one two "],
  ["Alt-Backspace takes a word", [typed("/a.b"), alt("backspace")], "one two three/a."],
  ["kills are joined", [ctrl("w"), ctrl("w"), ctrl("y"), ctrl("y")], "one two threetwo three"],
  ["Ctrl-U and Ctrl-K", [ctrl("u"), typed("x"), ctrl("a"), ctrl("k")], ""],
  [
    "a whole character is deleted",
    [typed("👩‍💻"), plainKey("backspace"), typed("e\u0301"), plainKey("backspace")],
    "one two three",
  ],
])("%s", (_, pressed, expected) => {
  expect(press(withText(emptyEditor, "one two three"), ...pressed).text).toBe(expected);
});

test("an accent joins the character before it, and the cursor follows both", () => {
  const editor = insert(moveTo(withText(emptyEditor, "eb"), 1), "\u0301");
  expect(editor).toMatchObject({ text: "e\u0301b", cursor: 2 });
});

test("a long pasted text is one character until it is needed, and escape sequences are dropped", () => {
  const long = Array.from({ length: 200 }, (_, index) => `line ${index}`).join("\n");
  const editor = paste(insert(emptyEditor, "a "), `\u001B[31m${long.replaceAll("\n", "\r\n")}`);
  expect(textWidth(editor.text)).toBeLessThan(10);
  expect(fullText(editor)).toBe(`a ${long}`);
  expect(press(editor, plainKey("backspace")).text).toBe("a ");
  // Another text does not know what was folded in this one.
  expect(press(withText(press(editor, ctrl("w")), ""), ctrl("y")).text).toBe(long);
});

test("textKeys() takes several lines as text, and a break at their end as Enter", () => {
  expect(textKeys("one\rtwo\r")).toEqual([typed("one\ntwo"), plainKey("enter")]);
  expect(textKeys("abc\r")).toEqual([typed("abc"), plainKey("enter")]);
  expect(textKeys("a\u0001b")).toEqual([typed("a"), ctrl("a"), typed("b")]);
});
