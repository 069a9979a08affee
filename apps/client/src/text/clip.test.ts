import { describe, expect, test } from "vitest";

import { LineClip } from "./clip.ts";

function clipped(text: string, head: number, tail: number): string[] {
  const shown: string[] = [];
  const clip = new LineClip({ head, tail }, (line) => shown.push(line));
  clip.push(text);
  clip.end();
  return shown;
}

describe("LineClip", () => {
  test("shows all lines within the limits, and those that a remark would not make shorter", () => {
    expect(clipped("1\n2\n3\n", 3, 0)).toEqual(["1", "2", "3"]);
    expect(clipped("1\n2\n3\n4", 3, 0)).toEqual(["1", "2", "3", "4"]);
    expect(clipped("1\n2\n3\n4", 1, 2)).toEqual(["1", "2", "3", "4"]);
  });

  test("reports how many lines it left out between beginning and end", () => {
    expect(clipped("1\n2\n3\n4\n5\n6\n", 3, 0)).toEqual(["1", "2", "3", "… 3 more lines"]);
    expect(clipped("1\n2\n3\n4\n5\n6\n7", 2, 2)).toEqual(["1", "2", "… 3 more lines", "6", "7"]);
  });

  test("shows lines as soon as they are complete, however they are cut", () => {
    const shown: string[] = [];
    const clip = new LineClip({ head: 5, tail: 0 }, (line) => shown.push(line));
    clip.push("on");
    expect(shown).toEqual([]);
    clip.push("e\ntw");
    expect(shown).toEqual(["one"]);
    clip.end();
    expect(shown).toEqual(["one", "tw"]);
  });
});
