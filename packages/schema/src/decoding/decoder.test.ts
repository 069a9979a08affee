import { describe, expect, test } from "vitest";
import { decode, type Decoder, formatIssue, formatPath, invalid } from "./index.ts";

describe("decode()", () => {
  const even: Decoder<number> = (value, notes) =>
    typeof value === "number" && value % 2 === 0 ? value : notes.fail("expected an even number");
  const inner: Decoder<number> = (value, notes) => {
    const decoded = even(value, notes);
    return decoded === invalid ? notes.failAt("inner") : decoded;
  };

  test("returns the value, or path and reason", () => {
    expect(decode(even, 2)).toEqual({ ok: true, value: 2, issues: [] });
    expect(decode(inner, 3)).toEqual({ ok: false, path: ["inner"], reason: "expected an even number", issues: [] });
  });

  test("collects issues, with the keys of their callers in front", () => {
    const tolerant: Decoder<string> = (value, notes) => {
      if (inner(value, notes) === invalid) notes.recover("skipped", 3);
      notes.prefix(0, "list");
      return "ok";
    };
    expect(decode(tolerant, 1)).toEqual({
      ok: true,
      value: "ok",
      issues: [{ action: "skipped", path: ["list", 3, "inner"], reason: "expected an even number" }],
    });
  });

  test("lists the first 100 issues of a message, and reports that there are more", () => {
    const list: Decoder<string> = (value, notes) => {
      for (let i = 0; i < (value as number); i++) {
        even(1, notes);
        notes.recover("skipped", i);
      }
      return "ok";
    };
    const issuesOf = (count: number) => decode(list, count).issues;
    expect(issuesOf(99).at(-1)).toMatchObject({ path: [98], reason: "expected an even number" });
    expect(issuesOf(1_000)).toHaveLength(100);
    expect(issuesOf(1_000).at(-1)).toMatchObject({
      path: [99],
      reason: "expected an even number; what follows is not listed",
    });
  });

  test("starts each message with fresh notes", () => {
    expect(decode(inner, 1).ok).toBe(false);
    expect(decode(inner, 1)).toMatchObject({ path: ["inner"] });
  });
});

describe("formatPath()", () => {
  test("writes a JSON Pointer", () => {
    expect(formatPath([])).toBe("");
    expect(formatPath(["a/b", 0, "c~d"])).toBe("/a~1b/0/c~0d");
  });
});

describe("formatIssue()", () => {
  test("leaves out the path of the whole value", () => {
    expect(formatIssue({ path: [], reason: "is missing" })).toBe("is missing");
    expect(formatIssue({ path: ["update", 1], reason: "is missing" })).toBe("/update/1: is missing");
  });
});
