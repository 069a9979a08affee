import { describe, expect, test } from "vitest";

import { describeOutput } from "./describe-output.ts";

const text = (value: string) => ({ type: "content", content: { type: "text", text: value } });

describe("describeOutput() of a call without content", () => {
  test.each<[string, unknown, string | undefined]>([
    ["a text (Nanocoder)", "EXIT_CODE: 0\nhello\n", "EXIT_CODE: 0\nhello\n"],
    ["the output of a command (OpenCode, Kilo)", { output: "hi\n", metadata: { exit: 1, output: "hi\n" } }, "hi\n"],
    [
      "several forms of one output (codex-acp 0.16)",
      { stdout: "a", stderr: "b", aggregated_output: "ab", exit_code: 0, formatted_output: "a b" },
      "a b",
    ],
    ["a joined output", { formatted_output: "", aggregatedOutput: "ab", exitCode: 0 }, "ab"],
    ["both streams", { stdout: "out", stderr: "err", exitCode: 2 }, "out\nerr"],
    ["stderr alone", { stdout: "", stderr: "err" }, "err"],
    ["detailed content (Copilot)", { content: "done", detailedContent: "all of it" }, "done"],
    ["content of MCP", { content: [text("x").content, text("y").content], isError: false }, "x\ny"],
    ["a list of blocks (pi)", [text("x").content], "x"],
    ["an error", { error: { message: "no such file" } }, "no such file"],
    ["a number", 42, "42"],
    ["a command that printed nothing", { output: "", exitCode: 0 }, undefined],
    ["an empty text", "", undefined],
    ["nothing", null, undefined],
    ["an empty object", {}, undefined],
  ])("shows %s", (_, rawOutput, shown) => {
    expect(describeOutput({ content: [], rawOutput }).text).toBe(shown);
  });

  test("shows output without text as JSON", () => {
    expect(describeOutput({ content: [], rawOutput: { files: ["a"] } }).text).toBe('{\n  "files": [\n    "a"\n  ]\n}');
  });

  test.each<[unknown, object | undefined]>([
    [{ exitCode: 0 }, { exitCode: 0 }],
    [{ exit_code: 2, signal: null }, { exitCode: 2 }],
    [{ metadata: { exit: 1 } }, { exitCode: 1 }],
    [{ signal: "SIGKILL" }, { signal: "SIGKILL" }],
    ["text", undefined],
    [{ exit: "soon" }, undefined],
    [{ exitCode: "2" }, { exitCode: 2 }],
    [{ output: "x", exitStatus: { exitCode: null, signal: "SIGTERM" } }, { signal: "SIGTERM" }],
    [{ result: { return_code: 3 } }, { exitCode: 3 }],
  ])("reads the exit of %j", (rawOutput, exit) => {
    expect(describeOutput({ content: [], rawOutput }).exit).toEqual(exit);
  });
});

test.each<[unknown, boolean]>([
  [{ exitCode: 1 }, true],
  [{ exit_code: 127, output: "" }, true],
  [{ exitCode: 0, signal: "SIGKILL" }, true],
  [{ exitCode: null, signal: "SIGSEGV" }, true],
  [{ content: [], isError: true }, true],
  [{ is_error: true, exitCode: 0 }, true],
  [{ success: false, error: "no such file" }, true],
  [{ ok: false }, true],
  [{ timed_out: true, exit_code: null }, true],
  [{ result: { isError: true } }, true],
  [{ metadata: { exit: 2 } }, true],
  [{ exitCode: 0, signal: null, isError: false, success: true }, false],
  [{ success: "false", isError: "true" }, false],
  [{ files: [{ success: false }] }, false],
  ['{"exitCode":1}', false],
  [undefined, false],
])("describeOutput() reads from %j whether the tool has failed", (rawOutput, hasFailed) => {
  expect(describeOutput({ content: [text("x")], rawOutput }).hasFailed).toBe(hasFailed);
});

describe("describeOutput() of a call with content", () => {
  const rawOutput = "raw";

  test.each<[string, object]>([
    ["a text", text("x")],
    ["a diff", { type: "diff", path: "/a", newText: "" }],
    ["an image", { type: "content", content: { type: "image", data: "", mimeType: "image/png" } }],
    ["a terminal", { type: "terminal", terminalId: "t" }],
  ])("returns no text for a call with %s", (_, item) => {
    expect(describeOutput({ content: [item], rawOutput }).text).toBeUndefined();
  });

  test.each<[string, object]>([
    ["an empty text", text("")],
    ["an unknown terminal, or one without output", { type: "terminal", terminalId: "t" }],
  ])("shows rawOutput for a call with %s", (_, item) => {
    expect(describeOutput({ content: [item], rawOutput }, { hasTerminal: () => false }).text).toBe("raw");
  });
});
