import { describe, expect, test } from "vitest";

import { generateCandidates } from "./candidates.ts";

/** The lines to try instead of a line of code. */
function repairsOf(line: string): string[] {
  const suspect = { path: "/a.js", text: line, lines: [1], functionName: undefined };
  return [...generateCandidates([suspect])].map(({ after }) => after);
}

describe("generateCandidates()", () => {
  test.each([
    ["if (a < b) {", ["if (a <= b) {"]],
    ["if (a >= b) {", ["if (a > b) {"]],
    ["let index = 1;", ["let index = 0;"]],
    ["return total - 1;", ["return total;", "return total + 1;"]],
    ["return list[list.length];", ["return list[list.length - 1];"]],
    ["return a === b;", ["return a !== b;"]],
    ["return a && b;", ["return a || b;"]],
    ["sum -= cost;", ["sum += cost;"]],
    ["return a * b;", ["return a / b;"]],
    ["return Math.min(a, b);", ["return Math.max(a, b);"]],
    ["return true;", ["return false;"]],
    ["return !ready;", ["return ready;"]],
  ])("repairs %s", (line, expected) => {
    expect(repairsOf(line)).toEqual(expected);
  });

  test.each(["const f = (x) => x;", 'return "a < b";', "// true && false", "a <<= 2;", "/* a === b */"])(
    "leaves %s alone",
    (line) => {
      expect(repairsOf(line)).toEqual([]);
    },
  );

  test("changes one place of one line, and no other text", () => {
    const text = "a;\r\n  if (b < c || d < e) f;\n\ng;";
    const suspect = { path: "/a.js", text, lines: [2], functionName: undefined };
    expect([...generateCandidates([suspect])].map(({ line, newText }) => ({ line, newText }))).toEqual([
      { line: 2, newText: "a;\r\n  if (b <= c || d < e) f;\n\ng;" },
      { line: 2, newText: "a;\r\n  if (b < c || d <= e) f;\n\ng;" },
      { line: 2, newText: "a;\r\n  if (b < c && d < e) f;\n\ng;" },
    ]);
  });
});
