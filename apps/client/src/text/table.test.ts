import { expect, test } from "vitest";

import { columns } from "./table.ts";

test("columns() makes the cells of a column as wide as the longest, also of wide characters", () => {
  const rows = [
    ["a", "1", "x"],
    ["語語", "22"],
    ["", "", "y"],
  ];
  expect(columns(rows)).toEqual(["a     1   x", "語語  22", "          y"]);
  expect(columns([["--login key", "By a key"]], "   ")).toEqual(["--login key   By a key"]);
  expect(columns([])).toEqual([]);
});
