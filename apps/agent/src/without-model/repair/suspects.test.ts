import { describe, expect, test } from "vitest";

import { createTestFileCheck, findSuspects } from "./suspects.ts";

const project: Readonly<Record<string, string>> = {
  "/p/test.js": `import assert from "node:assert";
import { one, two as second } from "./src/math.js";
assert.equal(second(), 2);
`,
  "/p/old.test.js": 'const { one } = require("./src/math");\nassert(one());\n',
  "/p/src/math.js": `export function one() {
  return 1;
}

// second() { in a comment }
export function two() {
  const braces = "}}";
  return 3;
}
`,
};

const isTestFile = createTestFileCheck({ command: "node", args: ["test.js"] }, "/p");
const find = (frames: { path: string; line: number }[]) =>
  findSuspects({ message: undefined, frames }, isTestFile, (path) => Promise.resolve(project[path]));

describe("findSuspects()", () => {
  test("follows the failing line of a test to the function it calls", async () => {
    const [suspect, ...others] = await find([{ path: "/p/test.js", line: 3 }]);
    expect(others).toEqual([]);
    expect(suspect).toMatchObject({ path: "/p/src/math.js", functionName: "two" });
    expect(suspect?.lines).toEqual([6, 7, 8, 9, 1, 2, 3]);
  });

  test("understands require without a file extension", async () => {
    const [suspect] = await find([{ path: "/p/old.test.js", line: 2 }]);
    expect(suspect).toMatchObject({ path: "/p/src/math.js", functionName: "one" });
    expect(suspect?.lines.slice(0, 3)).toEqual([1, 2, 3]);
  });

  test("starts with the line in the stack trace if it is not in a test", async () => {
    const [suspect] = await find([{ path: "/p/src/math.js", line: 8 }]);
    expect(suspect?.lines).toEqual([8, 6, 7, 9, 1, 2, 3]);
  });

  test("finds where arrow functions and methods start and end", async () => {
    const text =
      "const a = (x) => x;\nconst list = [1];\nclass C {\n  go({ deep }) {\n    if (deep) {\n      x;\n    }\n  }\n}\n";
    const at = async (line: number) => {
      const found = await findSuspects({ message: undefined, frames: [{ path: "/p/a.js", line }] }, isTestFile, () =>
        Promise.resolve(text),
      );
      return found[0]?.lines.slice(0, 5);
    };
    expect(await at(1)).toEqual([1, 2, 3, 4, 5]);
    expect(await at(6)).toEqual([6, 4, 5, 7, 8]);
  });

  // In quadratic time these take minutes, and exceed the time limit of the test.
  test.each([
    ["in a template", `const t = \`\n${"x".repeat(80)}${`\n${"x".repeat(80)}`.repeat(20_000)}\`;\n`],
    ["in functions", "function f() {\n}\n".repeat(40_000)],
  ])("reads a long file of lines %s", async (_, text) => {
    const place = { path: "/p/a.js", line: text.split("\n").length };
    const [suspect] = await findSuspects({ message: undefined, frames: [place] }, isTestFile, () =>
      Promise.resolve(`${text}x < 1;\n`),
    );
    expect(suspect?.lines[0]).toBe(place.line);
  });

  test("never suspects a test, by name or because the test command names it", async () => {
    expect(await find([{ path: "/p/test.js", line: 1 }])).toEqual([]);
    expect(isTestFile("/p/spec/a.js")).toBe(true);
    expect(isTestFile("/p/src/contest.js")).toBe(false);
    expect(createTestFileCheck({ command: "node", args: ["t.js"] }, "/p")("/p/t.js")).toBe(true);
  });
});
