import { describe, expect, test } from "vitest";

import { promptText, understand } from "./understand.ts";

describe("understand()", () => {
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
  ])("reads %j as %s", (text, name, rest) => {
    const understood = understand(text);
    expect(understood?.instruction.name).toBe(name);
    expect(understood?.rest ?? "").toBe(rest);
  });
});

describe("promptText()", () => {
  test("PROM-05: takes links for their address, and joins the rest", () => {
    const prompt = [
      { type: "text", text: "read" },
      { type: "resource_link", name: "a.js", uri: "file:///p/a.js" },
    ] as const;
    expect(promptText(prompt)).toBe("read file:///p/a.js");
  });
});
