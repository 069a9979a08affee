import { expect, test } from "vitest";
import { findCompileErrors } from "./compile-errors.ts";
import { formatLeft } from "./left-to-write.ts";

test("lists each place that does not compile once, by file", () => {
  const core = [
    "packages/core/src/a.ts(3,5): error TS2322: Type '\"x\"' is not assignable.",
    "  Type '{ kind: string; }' is not assignable.",
    "    Property 'kind' is missing.",
    "packages/core/src/b.ts(1,1): error TS2578: Unused '@ts-expect-error' directive.",
  ].join("\r\n");
  const host = `${core.split("\r\n").slice(0, 3).join("\n")}\npackages/core/src/a.ts(9,1): error TS1: ${"long ".repeat(100)}\nFound 2 errors.\n`;
  const found = findCompileErrors([core, host]);
  expect(found.map(([file, left]) => [file, left.length])).toEqual([
    ["packages/core/src/a.ts", 2],
    ["packages/core/src/b.ts", 1],
  ]);
  const text = formatLeft(found);
  expect(text).toContain("packages/core/src/a.ts: 2 left to write\n\n  Line 3: Type '\"x\"' is not assignable.\n");
  expect(text).toContain("\n    Property 'kind' is missing.\n    The schema has changed what belongs here: ");
  expect(text).toContain("  Line 1: Unused '@ts-expect-error' directive.\n    The schema allows this now: ");
  expect(text).toMatch(/ {2}Line 9: long .{190,200}…\n/);
  expect(findCompileErrors(["", "Version 7\n"])).toEqual([]);
});
