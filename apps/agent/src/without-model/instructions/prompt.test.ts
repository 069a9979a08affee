import { describe, expect, test } from "vitest";

import { parsePrompt, promptText } from "./prompt.ts";

describe("parsePrompt()", () => {
  test.each([
    ["Fix the failing test", "fix", "the failing test"],
    ["/fix", "fix", ""],
    ["please, fix it", undefined, ""],
    ["Please fix it", "fix", "it"],
    ["could you please READ  src/a b.js ", "read", "src/a b.js"],
    ["/write a.txt: one\ntwo", "write", "a.txt: one\ntwo"],
    ["hello", "help", ""],
    ["tell me a story", undefined, ""],
    ["", undefined, ""],
  ])("reads %j as %s", (text, name, argument) => {
    const parsed = parsePrompt(text);
    expect(parsed?.instruction.name).toBe(name);
    expect(parsed?.argument ?? "").toBe(argument);
  });
});

describe("promptText()", () => {
  test("PROM-05: replaces links by their URI, and joins them with the text", () => {
    const prompt = [
      { type: "text", text: "read" },
      { type: "resource_link", name: "a.js", uri: "file:///p/a.js" },
    ] as const;
    expect(promptText(prompt)).toBe("read file:///p/a.js");
  });

  test("replaces the file name of a link in the text", () => {
    const prompt = [
      { type: "text", text: "read @src/a.js now" },
      { type: "resource_link", name: "a.js", uri: "file:///p/src/a.js" },
    ] as const;
    expect(promptText(prompt)).toBe("read file:///p/src/a.js now");
  });
});
