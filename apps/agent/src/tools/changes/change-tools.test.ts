import { writeFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { type ClientKind, clientKinds, type ShownCall } from "../testing/clients.ts";
import { play } from "../testing/play.ts";
import { createProject } from "../testing/project.ts";

const client2 = clientKinds.at(-1) ?? expect.fail();

/** The change that a call shows. */
function shownChange({ version }: ClientKind, { content = [] }: ShownCall = {}): unknown {
  const item = content.find(({ type }) => type === "diff");
  return version === 1 ? item : item?.["patch"];
}

describe.each(clientKinds)("edit and write, with $name", (kind) => {
  test("show the change before the user is asked, and make it when it is allowed", async () => {
    const project = createProject({ "a.txt": "one\ntwo\nthree\n" });
    const asked: ShownCall[] = [];
    const steps = [
      [
        ["edit", { path: "a.txt", edits: [{ oldText: "two", newText: "2" }] }] as const,
        ["write", { path: "new/b.txt", text: "b\n" }] as const,
      ],
    ];
    const { texts, calls, client } = await play(kind, project, steps, {
      answer(call) {
        asked.push(call);
        expect(project.has("new/b.txt")).toBe(false);
        expect(project.read("a.txt")).toBe("one\ntwo\nthree\n");
        return true;
      },
    });
    const change =
      kind.version === 1
        ? { path: project.at("a.txt"), oldText: "one\ntwo\nthree\n", newText: "one\n2\nthree\n" }
        : { text: expect.stringContaining("-two\n+2\n") };
    expect(asked.map(({ title }) => title)).toEqual(["Edit a.txt", "Write new/b.txt"]);
    expect(asked[0]).toMatchObject({ kind: "edit", locations: [{ path: project.at("a.txt"), line: 2 }] });
    expect(shownChange(kind, asked[0])).toMatchObject(change);
    expect(texts).toEqual(["Edited a.txt: 1 replacement, in line 2.", "Created new/b.txt."]);
    expect(project.read("a.txt")).toBe("one\n2\nthree\n");
    expect(project.read("new/b.txt")).toBe("b\n");
    expect(calls.map(({ status }) => status)).toEqual(["completed", "completed"]);
    expect(shownChange(kind, calls[0])).toMatchObject(change);
    expect(client.called.includes("fs/write_text_file")).toBe(kind.methods.includes("fs/write_text_file"));
  });

  test("change nothing that the user rejects", async () => {
    const project = createProject({ "a.txt": "one" });
    const { calls } = await play(kind, project, [[["write", { path: "a.txt", text: "two" }]]], { answer: () => false });
    expect(project.read("a.txt")).toBe("one");
    expect(calls).toMatchObject([{ status: "failed" }]);
  });

  test("do not ask about an impossible change, and tell the model why", async () => {
    const project = createProject({ "a.txt": "one\n\ttwo = 2\none\n" });
    const edit = (path: string, ...edits: object[]) => ["edit", { path, edits }] as const;
    const { texts } = await play(
      kind,
      project,
      [
        [
          edit("a.txt", { oldText: "one", newText: "1" }),
          edit("a.txt", { oldText: "  two = 2", newText: "" }),
          edit("a.txt", { oldText: "nothing like it at all", newText: "" }),
          edit("none.txt", { oldText: "a", newText: "b" }),
          edit("../x", { oldText: "a", newText: "b" }),
          edit("a.txt", { oldText: "", newText: "b" }),
          edit("a.txt", { oldText: "two", newText: "three" }, { oldText: "two", newText: "four" }),
        ],
      ],
      { answer: ({ title }) => expect.fail(`Asks about ${title}`) },
    );
    expect(texts).toEqual([
      "oldText is in the file 2 times, in the lines 1, 3. Add text around the one that you mean, or set all to replace all of them.",
      String.raw`oldText is not in the file: it must be there exactly so, with its white space. The nearest line is 2: "\ttwo = 2"`,
      "oldText is not in the file: it must be there exactly so, with its white space. Nothing in the file is like it. Read the file again.",
      "There is no file none.txt. To create it, use write.",
      `../x is outside of this session. Its directories are: ${project.path}`,
      "oldText is empty. To create a file or replace all of it, use write.",
      expect.stringMatching(/^oldText of edit 2 is not in the file/u),
    ]);
    expect(project.read("a.txt")).toBe("one\n\ttwo = 2\none\n");
  });

  test("make changes of one file one after another", async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => `number ${index};`);
    const project = createProject({ "a.txt": numbers.join("\n") });
    const edits = numbers.map(
      (line, index) => ["edit", { path: "a.txt", edits: [{ oldText: line, newText: `changed ${index};` }] }] as const,
    );
    const { calls } = await play(kind, project, [edits]);
    expect(calls.map(({ status }) => status)).toEqual(numbers.map(() => "completed"));
    expect(project.read("a.txt")).toBe(numbers.map((_, index) => `changed ${index};`).join("\n"));
  });

  test("refuse a file that has changed since the model has read it", async () => {
    const project = createProject({ "a.txt": "one\ntwo\n", "b.txt": "b" });
    const change = ["edit", { path: "a.txt", edits: [{ oldText: "two", newText: "2" }] }] as const;
    const { texts } = await play(
      kind,
      project,
      [
        [["read", { path: "a.txt" }]],
        [["write", { path: "b.txt", text: "c" }]],
        [change],
        [["read", { path: "a.txt" }]],
        [change],
      ],
      {
        answer({ title }) {
          if (title === "Write b.txt") writeFileSync(project.at("a.txt"), "zero\ntwo\n");
          return true;
        },
      },
    );
    expect(texts.slice(1)).toEqual([
      "Replaced the text of b.txt.",
      "a.txt has changed since you read it. Read it again, and then change it.",
      "1\tzero\n2\ttwo",
      "Edited a.txt: 1 replacement, in line 2.",
    ]);
    expect(project.read("a.txt")).toBe("zero\n2\n");
  });

  test("refuse a file that the user changes while being asked about it", async () => {
    const project = createProject({ "a.txt": "one" });
    const { texts } = await play(kind, project, [[["write", { path: "a.txt", text: "two" }]]], {
      answer() {
        writeFileSync(project.at("a.txt"), "mine");
        return true;
      },
    });
    expect(texts).toEqual(["a.txt has changed since you read it. Read it again, and then change it."]);
    expect(project.read("a.txt")).toBe("mine");
  });
});

test("edit and write keep line ends and the byte order mark", async () => {
  const project = createProject({ "a.txt": "\uFEFFone\r\ntwo\r\nthree", "b.txt": "\uFEFFold\r\n", binary: "a\0" });
  const { texts } = await play(client2, project, [
    [["read", { path: "a.txt" }]],
    [
      ["edit", { path: "a.txt", edits: [{ oldText: "one\ntwo\n", newText: "1\n2\nund 🙂\n" }] }],
      ["write", { path: "b.txt", text: "new\nlines\n" }],
    ],
  ]);
  expect(texts.slice(1)).toEqual(["Edited a.txt: 1 replacement, in line 1.", "Replaced the text of b.txt."]);
  expect(project.read("a.txt")).toBe("\uFEFF1\r\n2\r\nund 🙂\r\nthree");
  expect(project.read("b.txt")).toBe("\uFEFFnew\r\nlines\r\n");
});

test("edit takes patterns of replacements as they are", async () => {
  const project = createProject({ "a.txt": "a b a" });
  const edits = [{ oldText: "a", newText: "$&$1`", all: true }];
  const { texts } = await play(client2, project, [[["edit", { path: "a.txt", edits }]]]);
  expect(texts).toEqual(["Edited a.txt: 2 replacements, in the lines 1, 1."]);
  expect(project.read("a.txt")).toBe("$&$1` b $&$1`");
});

test("arguments that a model writes as null count as left out", async () => {
  const project = createProject({ "a.txt": "a" });
  const { texts } = await play(client2, project, [
    [
      ["edit", { path: "a.txt", edits: [{ oldText: "a", newText: "b", all: null }] }],
      ["read", { path: "none.txt", line: null, limit: null }],
      ["write", { path: "c.txt", text: null }],
    ],
  ]);
  expect(texts.slice(0, 2)).toEqual(["Edited a.txt: 1 replacement, in line 1.", "There is no file none.txt."]);
  expect(texts[2]).toContain("text is missing");
});

test("arguments that do not fit go back to the model with a sentence", async () => {
  const project = createProject({ "a.txt": "a" });
  const { texts } = await play(client2, project, [
    [
      ["edit", { path: "a.txt", edits: [] }],
      ["edit", { path: "a.txt", edits: [{ oldText: "a" }] }],
      ["write", { path: "a.txt" }],
      ["read", { path: "a.txt", line: 0 }],
      ["read", { path: 1 }],
      ["read", { path: "a.txt", lines: 1 }],
    ],
  ]);
  const problems = [
    "edits must have 1 or more members",
    "edits[0].newText is missing",
    "text is missing",
    "line must be a whole number from 1",
    "path must be a string",
    "lines is unknown",
  ];
  for (const [index, problem] of problems.entries()) expect(texts[index]).toContain(problem);
});
