import { describe, expect, test } from "vitest";

import { findTestCommand } from "./test-command.ts";

describe("findTestCommand()", () => {
  test("runs a script of node itself", () => {
    expect(findTestCommand('{"scripts":{"test":"node --test \'a b\'"}}')).toEqual({
      command: "node",
      args: ["--test", "a b"],
    });
  });

  test("leaves other scripts to npm", () => {
    expect(findTestCommand('{"scripts":{"test":"vitest run"}}')).toEqual({
      command: "npm",
      args: ["--silent", "test"],
    });
    expect(findTestCommand('{"scripts":{"test":"node a.js && node b.js"}}')?.command).toBe("npm");
  });

  test.each(["not JSON", "{}", "[]", "null", '{"scripts":{"test":1}}', '{"scripts":null}'])(
    "finds none in %s",
    (manifest) => {
      expect(findTestCommand(manifest)).toBeUndefined();
    },
  );
});
