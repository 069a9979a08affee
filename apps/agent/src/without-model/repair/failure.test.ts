import { describe, expect, test } from "vitest";

import { parseFailure } from "./failure.ts";

describe("parseFailure()", () => {
  test("finds the message and the lines in the output of a test program", () => {
    const output = `ok    one
AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

1 !== 2

    at two (file:///project/test.js:9:55)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)
    at file:///project/src/a.js:3:7
`;
    expect(parseFailure(output, "/project")).toEqual({
      message: "Expected values to be strictly equal:\n\n1 !== 2",
      frames: [
        { path: "/project/test.js", line: 9 },
        { path: "/project/src/a.js", line: 3 },
      ],
    });
  });

  test("understands the output of node --test, quotes and all", () => {
    const output =
      "  location: '/project/range.test.js:3:1'\n  error: |-\n    TestContext.<anonymous> (range.test.js:4:47)\n";
    expect(parseFailure(output, "/project").frames).toEqual([
      { path: "/project/range.test.js", line: 3 },
      { path: "/project/range.test.js", line: 4 },
    ]);
  });

  test("ignores colours, packages, other projects and repetitions", () => {
    const output =
      "\u001B[31mTypeError: x is not a function\u001B[39m\n    at \u001B[36m/project/a.js:1:2\u001B[39m\n at /project/a.js:1:9\n" +
      " at /project/node_modules/b/c.js:1:1\n at /elsewhere/d.js:1:1\n";
    expect(parseFailure(output, "/project")).toEqual({
      message: "x is not a function",
      frames: [{ path: "/project/a.js", line: 1 }],
    });
  });

  test("reads a message of several lines up to its stack, with either line end", () => {
    const lines = [
      "1 failed",
      "  RangeError [ERR_X]: one",
      "",
      "  two",
      "",
      "    at three (/project/a.js:1:1)",
      "four",
    ];
    for (const end of ["\n", "\r\n"]) {
      expect(parseFailure(lines.join(end), "/project").message).toBe("one\n\n  two");
    }
  });

  test("finds URLs behind any character, and ignores those that name no file", () => {
    const output = "f@file:///project/a.js:1:2\n file:///a%2Fb.js:1:2 file:///%zz.js:1:2\n";
    expect(parseFailure(output, "/project").frames).toEqual([{ path: "/project/a.js", line: 1 }]);
  });

  test("ignores links of a terminal", () => {
    const output = "\u001B]8;;file:///project/x.js:9:9\u0007a.js:1:2\u001B]8;;\u001B\\\n";
    expect(parseFailure(output, "/project").frames).toEqual([{ path: "/project/a.js", line: 1 }]);
  });

  // In quadratic time these take many minutes, and exceed the time limit of the test.
  test.each([
    ["letters", "a".repeat(1_000_000)],
    ["URLs", "file:///".repeat(100_000)],
    ["empty lines", "\n".repeat(1_000_000)],
    ["carriage returns", "\r".repeat(1_000_000)],
    ["spaces", " ".repeat(1_000_000)],
    ["blank lines behind an error", `Error: x${"\n  ".repeat(500_000)}`],
    ["errors without a message", "Error\r".repeat(300_000)],
    ["colours that do not end", "\u001B[1;".repeat(300_000)],
    ["links that do not end", "\u001B];#".repeat(300_000)],
  ])("reads a long output of %s", (_, output) => {
    const end = "\n(a.js:1:2)\n";
    expect(parseFailure(output + end, "/project").frames).toEqual([{ path: "/project/a.js", line: 1 }]);
  });

  test("finds nothing in an output without errors and paths", () => {
    expect(parseFailure("3 failed\n", "/project")).toEqual({ message: undefined, frames: [] });
  });
});
