import { expect, test } from "vitest";

import { findShapeIssue } from "./message-shape.ts";

const mebi = 1024 * 1024;

/** A request whose params are `value`. */
const request = (value: string): string => `{"jsonrpc":"2.0","id":7,"method":"_do","params":${value}}`;

test("findShapeIssue() rejects messages with too many branches, and shows both their ends", () => {
  const issue = findShapeIssue(request(`[${"[],".repeat(600_000)}[]]`));
  expect(issue).toMatchObject({
    code: "message-too-complex",
    message: expect.stringContaining("too many values (maxMessageValues)"),
    head: expect.stringMatching(/^\{"jsonrpc":"2.0","id":7,"method":"_do"/),
    tail: expect.stringMatching(/\[\]\]\}$/),
  });
});

test.each([
  ["arrays", "[", "]"],
  ["objects", '{"a":', "}"],
])("findShapeIssue() refuses %s that nest out of all proportion", (_, open, close) => {
  const deep = (levels: number): string => request(open.repeat(levels) + "0" + close.repeat(levels)) + " ".repeat(mebi);
  // The request itself is a level.
  expect(findShapeIssue(deep(999))).toBeUndefined();
  expect(findShapeIssue(deep(1000))).toMatchObject({
    code: "message-too-complex",
    message: expect.stringContaining("too many levels (maxMessageDepth)"),
  });
});

test("findShapeIssue() takes limits, to the level and to the value", () => {
  const padding = `"${"x".repeat(mebi)}"`;
  const text = `[[1,2],[3,[4]],${padding}]`;
  expect(findShapeIssue(text, { maxMessageDepth: 3 })).toBeUndefined();
  expect(findShapeIssue(text, { maxMessageDepth: 2 })?.message).toContain("maxMessageDepth");
  // Four brackets, four commas, and the message itself.
  expect(findShapeIssue(text, { maxMessageValues: 9 })).toBeUndefined();
  expect(findShapeIssue(text, { maxMessageValues: 8 })?.message).toContain("maxMessageValues");
  for (const limits of [{ maxMessageDepth: 0 }, { maxMessageValues: 0 }])
    expect(findShapeIssue(text, limits)).toBeDefined();
  const nulls = { maxMessageDepth: null, maxMessageValues: null } as never;
  expect(findShapeIssue(text, nulls)).toBeUndefined();
});

test("findShapeIssue() does not count characters in strings, whatever they escape", () => {
  const inString = JSON.stringify(`[[[{{{,,,"\\"\\\\"${"[,".repeat(mebi)}`);
  const text = `[${inString},"\\\\",${inString},"\\"[",{"[[[[\\\\\\"":[]}]`;
  expect(() => JSON.parse(text) as unknown).not.toThrow();
  const limits = { maxMessageDepth: 3, maxMessageValues: 8 };
  expect(findShapeIssue(text, limits)).toBeUndefined();
  expect(findShapeIssue(text, { ...limits, maxMessageDepth: 2 })).toBeDefined();
  expect(findShapeIssue(text, { ...limits, maxMessageValues: 7 })).toBeDefined();
});

test("findShapeIssue() passes large messages of ordinary shape, and short ones of any", () => {
  expect(findShapeIssue(request(JSON.stringify("x".repeat(20 * mebi))))).toBeUndefined();
  const diffs = Array.from({ length: 20_000 }, (_, n) => ({
    path: `/project/${n}`,
    oldText: "x\n".repeat(50),
    line: n,
  }));
  expect(findShapeIssue(request(JSON.stringify(diffs)))).toBeUndefined();
  expect(findShapeIssue("[".repeat(mebi))).toBeUndefined();
});

test.each([
  ["a string that does not end", '"'],
  ["backslashes in a string", `"${"\\".repeat(5 * mebi)}`],
  ["quotes and backslashes by turns", '\\"'.repeat(5 * mebi)],
  ["brackets that only close", "]".repeat(5 * mebi)],
])("findShapeIssue() passes %s, which JSON.parse refuses at once", (_, text) => {
  expect(findShapeIssue(text + " ".repeat(mebi))).toBeUndefined();
});
