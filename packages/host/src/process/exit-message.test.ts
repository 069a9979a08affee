import { expect, test } from "vitest";

import { describeCommand, describeExit, quoteStderr } from "./exit-message.ts";

test("describeExit() names code or signal", () => {
  expect(describeExit({ exitCode: 3, signal: null })).toBe("exited with code 3");
  expect(describeExit({ exitCode: null, signal: "SIGKILL" })).toBe("was ended by SIGKILL");
});

test("quoteStderr() quotes the last lines, or nothing", () => {
  expect(quoteStderr(" \n")).toBe("");
  expect(quoteStderr("a\r\nb\n")).toBe("\nThe end of its stderr:\n  a\n  b");
  const lines = quoteStderr(Array.from({ length: 100 }, (_, index) => `line ${index}`).join("\n"))
    .split("\n")
    .slice(2);
  expect(lines).toHaveLength(12);
  expect(lines.at(-1)).toBe("  line 99");
});

/** A stack as deep as runtimes print it. */
function stack(indent: string): string {
  return Array.from({ length: 20 }, (_, index) => `${indent}at f${index} (file:///agent.js:${index}:1)`).join("\n");
}

test.each([
  [
    "Node",
    `file:///agent.js:1\n  a.b.c();\n      ^\n\nTypeError: no c\n${stack("    ")} {\n  code: 'E'\n}\n\nNode.js v20.20.2\n`,
    "TypeError: no c",
  ],
  [
    "Node, with a cause",
    `Error: outer\n${stack("    ")} {\n  [cause]: Error: inner\n${stack("      ")}\n}\n`,
    "Error: outer",
  ],
  ["Deno", `error: Uncaught (in promise) TypeError: no c\n  a.b.c();\n      ^\n${stack("    ")}\n`, "TypeError: no c"],
  ["Bun", `1 | a.b.c();\n      ^\nTypeError: no c\n${stack("      ")}\n\nBun v1.4.5 (Linux x64)\n`, "TypeError: no c"],
  [
    "Python",
    `Traceback (most recent call last):\n${'  File "agent.py", line 3, in f\n    f()\n'.repeat(20)}ValueError: bad\n`,
    "ValueError: bad",
  ],
  ["a message of many lines", `ZodError: no\n${"  at path.x\n- bad\n".repeat(30)}`, "ZodError: no"],
  ["a long last line", `Error: first\n${"x".repeat(3_000)}`, "Error: first"],
])("quoteStderr() keeps the line that explains why: %s", (_, stderr, line) => {
  const quoted = quoteStderr(stderr);
  expect(quoted).toContain(line);
  expect(quoted).not.toMatch(/ v\d+\.\d/u);
  expect(quoted.length).toBeLessThan(2_600);
});

test("quoteStderr() shows where an error was thrown, and no more of its stack", () => {
  expect(quoteStderr(`TypeError: no c\n${stack("    ")}\n\nNode.js v20.20.2\n`)).toBe(
    "\nThe end of its stderr:\n  TypeError: no c\n      at f0 (file:///agent.js:0:1)",
  );
});

test("quoteStderr() takes a long line that nearly explains why in one go", () => {
  const line = "Error.".repeat(100_000);
  expect(quoteStderr(line)).toBe(`\nThe end of its stderr:\n  ${line.slice(-2_000)}`);
});

test("describeCommand() quotes arguments where necessary", () => {
  expect(describeCommand("/usr/bin/node", ["a b", "--x=1"])).toBe('/usr/bin/node "a b" --x=1');
});
