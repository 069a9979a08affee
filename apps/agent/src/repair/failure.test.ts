import { describe, expect, test } from "vitest";

import { readFailure } from "./failure.ts";

describe("readFailure()", () => {
  test("finds message and places in the output of a test program", () => {
    const output = `ok    one
AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

1 !== 2

    at two (file:///project/test.js:9:55)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)
    at file:///project/src/a.js:3:7
`;
    expect(readFailure(output, "/project")).toEqual({
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
    expect(readFailure(output, "/project").frames).toEqual([
      { path: "/project/range.test.js", line: 3 },
      { path: "/project/range.test.js", line: 4 },
    ]);
  });

  test("looks through colours, and leaves out packages, other projects and repetitions", () => {
    const output =
      "\u001B[31mTypeError: x is not a function\u001B[39m\n    at \u001B[36m/project/a.js:1:2\u001B[39m\n at /project/a.js:1:9\n" +
      " at /project/node_modules/b/c.js:1:1\n at /elsewhere/d.js:1:1\n";
    expect(readFailure(output, "/project")).toEqual({
      message: "x is not a function",
      frames: [{ path: "/project/a.js", line: 1 }],
    });
  });

  test("says nothing when the output says nothing", () => {
    expect(readFailure("3 failed\n", "/project")).toEqual({ message: undefined, frames: [] });
  });
});
