import { expect, test } from "vitest";

import type { ChatItem } from "../chat-state.ts";
import { ItemList } from "./item-list.ts";

function note(id: number): ChatItem {
  return { id, kind: "note", level: "info", text: `Note ${id}` };
}

test.each([
  ["final and open items", 3, 2],
  ["final items", 3, 0],
  ["open items", 0, 3],
  ["no items", 0, 0],
])("a list of %s reads like an array, also after more have become final", (_name, finals, open) => {
  const final = Array.from({ length: finals }, (_, at) => note(at));
  const others = Array.from({ length: open }, (_, at) => note(10 + at));
  const expected = [...final, ...others];
  const list = new ItemList(final, others);
  final.push(...others, note(20));
  expect(list.length).toBe(expected.length);
  for (let start = -1; start <= expected.length + 1; start += 1) {
    expect(list.at(start)).toBe(expected.at(start));
    if (start < 0) continue;
    for (let end = start; end <= expected.length + 1; end += 1)
      expect(list.slice(start, end)).toEqual(expected.slice(start, end));
    expect(list.slice(start)).toEqual(expected.slice(start));
  }
});
