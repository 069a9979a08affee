import { expect, test } from "vitest";

import { flatLines, permissionLines } from "./question-lines.ts";
import { askedQuestion } from "./testing/asked-question.ts";

/** What a question shows, line by line. */
function linesOf(...args: Parameters<typeof askedQuestion>): readonly string[] {
  return flatLines(permissionLines(askedQuestion(...args), "/project")).map(({ label, text }) => label + text);
}

test("permissionLines() shows the action at a fixed place, and the title as a comment on it", () => {
  const title = "`rm -rf *` in /home/me/build";
  const rawInput = { command: "rm -rf *", cwd: "/", url: "https://a.test", timeout: 1, env: { LD_PRELOAD: "/x.so" } };
  expect(linesOf({ title, kind: "execute", rawInput, locations: [{ path: "/home" }] })).toEqual([
    "? The agent asks for permission: execute",
    "$ rm -rf *",
    "in /",
    "url: https://a.test",
    "path: /home",
    "variable LD_PRELOAD=/x.so",
    "argument timeout: 1",
    "the agent says: `rm -rf *` in /home/me/build",
  ]);
});

test("permissionLines() keeps the line breaks of a command", () => {
  const command = "printf 'a\nb'\nrm -rf x";
  expect(linesOf({ title: command, kind: "execute", rawInput: { command } })).toEqual([
    "? The agent asks for permission: execute",
    "$ printf 'a",
    "│ b'",
    "│ rm -rf x",
    "in /project",
  ]);
});

test("permissionLines() reports where a command runs if the agent does not", () => {
  expect(linesOf({ title: "In /tmp", rawInput: { command: "ls" } })).toEqual([
    "? The agent asks for permission",
    "$ ls",
    "in /project",
    "the agent says: In /tmp",
  ]);
});

test("permissionLines() marks earlier announced parts", () => {
  const known = {
    rawInput: { command: "rm a\nrm b" },
    content: [{ type: "diff", path: "/p/b", newText: "b" } as const],
  };
  expect(
    linesOf({ title: "List", rawInput: { command: "ls" }, content: [textContent("hi\nthere")] }, { known }),
  ).toEqual([
    "? The agent asks for permission",
    "$ ls",
    "announced earlier: $ rm a",
    "│ rm b",
    "in /project",
    "announced earlier: path: /p/b",
    "text:",
    "│ hi",
    "│ there",
    "announced earlier: new file /p/b",
    "│ @@ -1,0 +1,1 @@",
    "│ +b",
    String.raw`│ \ No newline at end of file`,
    "the agent says: List",
  ]);
});

test("permissionLines() lets no argument pass for something else", () => {
  const rawInput = { "path\n1 Allow once": "/p", " $ ls": "", "the agent says": "x", a: "1\n2\n" };
  expect(linesOf({ kind: "other", title: "", rawInput })).toEqual([
    "? The agent asks for permission",
    "argument path<U+000A>1 Allow once: /p",
    "argument  $ ls: (empty)",
    "argument the agent says: x",
    "argument a: 1",
    "│ 2",
  ]);
});

test("permissionLines() writes out space at the end of a name", () => {
  expect(linesOf({ title: "x", rawInput: { path: "/p/a \t" } })).toContain("path: /p/a<U+0020><U+0009>");
});

test("permissionLines() masks the values of variables that are secrets", () => {
  const env = { GITHUB_TOKEN: "ghp_0123456789abcdefghijABCDEFGHIJ012345", API_KEY: "s3cr3t-v4lue-9", CI: "1" };
  const lines = linesOf({ title: "x", rawInput: { command: "ls", env } });
  expect(lines.filter((line) => line.startsWith("variable"))).toEqual([
    "variable GITHUB_TOKEN=[redacted]",
    "variable API_KEY=[redacted]",
    "variable CI=1",
  ]);
});

test("permissionLines() shows all of a resource, and content that it does not know", () => {
  const resource = { type: "resource", resource: { uri: "file:///a", text: "rm a\nrm b\n" } } as const;
  const lines = linesOf({ title: "x", content: [{ type: "content", content: resource }] });
  expect(lines.slice(1, 5)).toEqual(["text:", "│ [file:///a]", "│ rm a", "│ rm b"]);
});

const write = (path: string) => ({ type: "diff", path, newText: "x" }) as const;

test.each<[string, Parameters<typeof askedQuestion>[0], readonly string[]]>([
  [
    "path, change and title of an edit",
    {
      title: "Edit src/a.ts",
      kind: "edit",
      rawInput: { file_path: "/project/src/a.ts" },
      locations: [{ path: "/project/src/a.ts" }],
      content: [write("/project/src/a.ts")],
    },
    ["new file /project/src/a.ts"],
  ],
  [
    "a path and a title",
    { title: "Read /etc/passwd", kind: "read", rawInput: { path: "/etc/passwd" } },
    ["path: /etc/passwd"],
  ],
  [
    "a command and a title in code marks",
    { title: "`ls -l`", kind: "execute", rawInput: { command: "ls -l" } },
    ["$ ls -l"],
  ],
  [
    "a URL",
    { title: "https://a.test/x", kind: "fetch", rawInput: { url: "https://a.test/x" } },
    ["url: https://a.test/x"],
  ],
])("permissionLines() tells once what is the same: %s", (_, toolCall, told) => {
  const lines = linesOf(toolCall).filter((line) => /^(?:\$|path|url|change|new file|the agent says)/u.test(line));
  expect(lines).toEqual(told);
});

test.each<[string, Parameters<typeof askedQuestion>[0], readonly string[]]>([
  [
    "another path than that of the change",
    { title: "Edit a", kind: "edit", rawInput: { path: "/project/b" }, content: [write("/project/a")] },
    ["path: /project/b", "new file /project/a"],
  ],
  [
    "another kind, or more words",
    { title: "Delete a", kind: "edit", content: [write("/project/a")] },
    ["new file /project/a", "the agent says: Delete a"],
  ],
  [
    "a path that only looks the same",
    { title: "Edit A", kind: "edit", content: [write("/project/\u0430")] },
    ["new file /project/\u0430", "the agent says: Edit A"],
  ],
  [
    "a path in another directory",
    { title: "Read x/../a", kind: "read", rawInput: { path: "/project/a" } },
    ["path: /project/a", "the agent says: Read x/../a"],
  ],
  [
    "a command that goes on",
    { title: "ls", kind: "execute", rawInput: { command: "ls\nrm a" } },
    ["$ ls", "the agent says: ls"],
  ],
])("permissionLines() tells all that differs: %s", (_, toolCall, told) => {
  const lines = linesOf(toolCall);
  for (const line of told) expect(lines).toContain(line);
});

test("permissionLines() writes out space at the end of the path of a change", () => {
  const lines = linesOf({ title: "x", content: [write("/project/a "), write("/project/b")] });
  expect(lines).toContain("new file /project/a<U+0020>");
  expect(lines).toContain("new file /project/b");
});

const edit = (oldText: string, newText: string) => ({ type: "diff", path: "/p/a", oldText, newText }) as const;

test("permissionLines() refers to a change for an argument that the change shows line by line", () => {
  const rawInput = { old_string: "one\ntwo\n", new_string: "one\n2\n" };
  const lines = linesOf({ title: "x", content: [edit("one\ntwo\n", "one\n2\n")], rawInput });
  expect(lines).toContain("argument old_string: as in the change below");
  expect(lines).toContain("argument new_string: as in the change below");
});

test.each<[string, string, string, string]>([
  ["is not in it", "a\nb\n", "a\nc\n", "x\ny"],
  [
    "is only in the part that it does not show",
    `${"same\n".repeat(9)}b\n`,
    `${"same\n".repeat(9)}c\n`,
    "same\n".repeat(5),
  ],
  ["is not changed by it", "rm a\nrm b\n", "rm a\nrm b\n", "rm a\nrm b\n"],
  ["is a part of its lines", "a\nb\n", "abc\ndef\n", "bc\nde"],
  ["is on both sides of a gap", `a\n${"x\n".repeat(20)}b\n`, `A\n${"x\n".repeat(20)}B\n`, "A\nB"],
])("permissionLines() shows an argument in addition to a change if it %s", (_, oldText, newText, value) => {
  const lines = linesOf({ title: "x", content: [edit(oldText, newText)], rawInput: { text: value } });
  const at = lines.indexOf(`argument text: ${value.split("\n")[0]}`);
  expect(at).toBeGreaterThan(0);
  expect(lines[at + 1]).toBe(`│ ${value.split("\n")[1]}`);
});

function textContent(value: string) {
  return { type: "content", content: { type: "text", text: value } } as const;
}
