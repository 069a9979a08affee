import { expect, test } from "vitest";

import { joinShown } from "./asked-call.ts";

test("joinShown() keeps the members that a question repeats: the last of each, and no status and result", () => {
  const first = { title: "A", kind: "edit", status: "pending", rawInput: { a: 1 }, locations: [{ path: "/a" }] };
  const shown = joinShown({}, first);
  expect(shown).toEqual({ title: "A", kind: "edit", rawInput: { a: 1 }, locations: [{ path: "/a" }] });
  expect(
    joinShown(shown, { title: null, kind: undefined, rawInput: { b: 1 }, rawOutput: "x", locations: null }),
  ).toEqual({
    title: "A",
    kind: "edit",
    rawInput: { b: 1 },
  });
});
