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

test("describeCommand() quotes what needs it", () => {
  expect(describeCommand("/usr/bin/node", ["a b", "--x=1"])).toBe('/usr/bin/node "a b" --x=1');
});
