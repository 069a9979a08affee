import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { chordOf } from "../input/keys.ts";
import { KeyParser, type Report, type Typed } from "./key-parser.ts";

/** What was typed, as chords and texts. */
function shown(typed: readonly (Typed | Report)[]): string[] {
  return typed.map((one) => {
    if ("isShown" in one) return "shown";
    if ("isFocused" in one) return one.isFocused ? "focus" : "no focus";
    return "pasted" in one ? `paste ${one.pasted}` : one.name === "text" ? one.text : chordOf(one);
  });
}

function read(...chunks: readonly string[]): string[] {
  const parser = new KeyParser();
  return shown([...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]);
}

const sequences: readonly (readonly [bytes: string, keys: readonly string[]])[] = [
  ["abc", ["abc"]],
  ["\r", ["enter"]],
  ["\t", ["tab"]],
  ["\u007F", ["backspace"]],
  ["\u0003", ["ctrl+c"]],
  ["\u001B[A", ["up"]],
  ["\u001BOA", ["up"]],
  ["\u001B[1;5C", ["ctrl+right"]],
  ["\u001B[1;3D", ["alt+left"]],
  ["\u001B[Z", ["shift+tab"]],
  ["\u001B[3~", ["delete"]],
  ["\u001B[5~", ["pageup"]],
  ["\u001B[6;2~", ["shift+pagedown"]],
  ["\u001B[H", ["home"]],
  ["\u001B[4~", ["end"]],
  ["\u001Bb", ["alt+b"]],
  ["\u001B\r", ["alt+enter"]],
  ["\u001B\u007F", ["alt+backspace"]],
  ["\u001B\u001B[A", ["alt+up"]],
  ["\u001B[27u", ["escape"]],
  ["\u001B[13;2u", ["shift+enter"]],
  ["\u001B[99;5u", ["ctrl+c"]],
  ["\u001B[97;1:3u", []],
  ["\u001B[97:65;2u", ["A"]],
  ["\u001B[57443;3u", []],
  ["\u001B[I", ["focus"]],
  ["\u001B[O", ["no focus"]],
  ["\u001B[0n", ["shown"]],
  ["\u001B\u001B[0n", ["escape", "shown"]],
  ["\u001B\u001B[I", ["escape", "focus"]],
  ["\u001B[200~one\r\ntwo\u001B[201~", ["paste one\r\ntwo"]],
  ["\u001B[200~\u001B[A\u001B[201~\r", ["paste \u001B[A", "enter"]],
];

describe("KeyParser", () => {
  test.each(sequences)("%j", (bytes, keys) => {
    expect(read(bytes)).toEqual(keys);
  });

  test("reads the same from any two parts of a sequence", () => {
    for (const [bytes, keys] of sequences) {
      if (!bytes.startsWith("\u001B")) continue;
      for (let at = 1; at < bytes.length; at += 1) expect(read(bytes.slice(0, at), bytes.slice(at))).toEqual(keys);
    }
  });

  test("takes a lone Escape for itself only when no more comes", () => {
    const parser = new KeyParser();
    expect(parser.push("\u001B")).toEqual([]);
    expect(parser.isWaiting).toBe(true);
    expect(shown(parser.end())).toEqual(["escape"]);
    expect(parser.isWaiting).toBe(false);
    expect(read("\u001B\u001B")).toEqual(["escape", "escape"]);
    expect(read("a\u001B")).toEqual(["a", "escape"]);
  });

  test("reads several lines without marks as a pasted text, its last break as Enter", () => {
    expect(read("one\rtwo\r")).toEqual(["one\ntwo", "enter"]);
  });

  test("never throws, and reads all text that is typed between sequences", () => {
    const piece = fc.oneof(
      fc.constantFrom(...sequences.map(([bytes]) => bytes), "\u001B", "\u001B[", "\u001B[999999999999u", "\u001B[;;;~"),
      fc.string({ maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const parser = new KeyParser();
        for (const part of pieces) parser.push(part);
        parser.end();
        const all = shown([...parser.push("\u001B[201~x"), ...parser.end()]).join("");
        return all.endsWith("x");
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});
