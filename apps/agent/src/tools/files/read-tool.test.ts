import { symlinkSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { clientKinds } from "../testing/clients.ts";
import { play } from "../testing/play.ts";
import { createProject } from "../testing/project.ts";

/** A PNG of one pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe.each(clientKinds)("read, with $name", (kind) => {
  test("numbers the lines, and reports where to continue", async () => {
    const project = createProject({ "src/a.txt": "one\r\ntwo\r\nthree" });
    const { texts, calls, client } = await play(kind, project, [
      [
        ["read", { path: "src/a.txt" }],
        ["read", { path: project.at("src/a.txt"), line: 2, limit: 1 }],
      ],
    ]);
    expect(texts).toEqual([
      "1\tone\n2\ttwo\n3\tthree",
      "2\ttwo\n[The file goes on. To read more, call read with line 3.]",
    ]);
    expect(calls).toMatchObject([
      { title: "Read src/a.txt", kind: "read", status: "completed", locations: [{ path: project.at("src/a.txt") }] },
      { title: "Read src/a.txt:2-2", locations: [{ path: project.at("src/a.txt"), line: 2 }] },
    ]);
    expect(calls[0]?.content).toMatchObject([{ content: { text: "```\n1\tone\n2\ttwo\n3\tthree\n```" } }]);
    expect(client.called.filter((method) => method === "fs/read_text_file")).toHaveLength(
      kind.methods.includes("fs/read_text_file") ? 2 : 0,
    );
  });

  test("explains in a sentence why it cannot read a file", async () => {
    const project = createProject({
      "data.bin": Uint8Array.of(1, 0, 2),
      "folder/x": "",
      "empty.txt": "",
      "a.txt": "a",
    });
    symlinkSync("/etc", project.at("link"));
    const paths = ["data.bin", "folder", "empty.txt", "none.txt", "../x", "/etc/passwd", "link/passwd", "a\0b"];
    const { texts, calls } = await play(kind, project, [
      [...paths.map((path) => ["read", { path }] as const), ["read", { path: "a.txt", line: 5 }]],
    ]);
    const outside = (path: string): string =>
      `${path} is outside of this session. Its directories are: ${project.path}`;
    expect(texts).toEqual([
      "data.bin is a binary file of 3 bytes, which cannot be shown as text.",
      "folder is a directory. To see what is in it, use list.",
      "[The file is empty.]",
      "There is no file none.txt.",
      outside("../x"),
      outside("/etc/passwd"),
      outside("link/passwd"),
      "A path cannot contain a NUL character.",
      "a.txt has fewer than 5 lines.",
    ]);
    expect(calls.map(({ status }) => status)).toEqual(
      texts.map((text) => (text === "[The file is empty.]" ? "completed" : "failed")),
    );
  });

  test("shows images to a model that takes them, if they are images", async () => {
    const project = createProject({ "a.png": png, "b.png": "no image" });
    const calls = [["read", { path: "a.png" }] as const, ["read", { path: "b.png" }] as const];
    const seen = await play(kind, project, [calls], { takesImages: true });
    expect(seen.results[0]).toMatchObject({
      type: "content",
      value: [{ type: "file", mediaType: "image/png", data: { data: png.toString("base64") } }],
    });
    expect(seen.calls[0]?.content).toMatchObject([{ content: { type: "image", mimeType: "image/png" } }]);
    expect(seen.texts[1]).toBe("b.png has the name of an image, but is none.");
    const { texts } = await play(kind, project, [calls]);
    expect(texts[0]).toBe(`a.png is an image of ${png.length} bytes, and this model takes no images.`);
  });
});

test("read gets the unsaved changes of the user, and reads additional directories", async () => {
  const other = createProject({ "b.txt": "b" });
  const project = createProject({ "a.txt": "saved" });
  const kind = clientKinds[0] ?? expect.fail();
  const calls = [["read", { path: "a.txt" }] as const, ["read", { path: other.at("b.txt") }] as const];
  const { texts } = await play(kind, project, [calls], {
    additionalDirectories: [other.path],
    files: { readOverlay: (path) => (path.endsWith("a.txt") ? "unsaved" : undefined) },
  });
  expect(texts).toEqual(["1\tunsaved", "1\tb"]);
});

test("read and write know a file that does not exist, even if the client answers with an empty text", async () => {
  const project = createProject({ "empty.txt": "" });
  const kind = clientKinds[0] ?? expect.fail();
  const { texts } = await play(
    kind,
    project,
    [
      [
        ["read", { path: "new.txt" }],
        ["read", { path: "empty.txt" }],
      ],
      [["write", { path: "new.txt", text: "new" }]],
    ],
    { files: { readOverlay: (path) => (project.has(path.slice(project.path.length)) ? undefined : "") } },
  );
  expect(texts).toEqual(["There is no file new.txt.", "[The file is empty.]", "Created new.txt."]);
});

test("read cuts long lines and large files, and continues with them", async () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `Line ${index + 1}`);
  const project = createProject({ "long.txt": `${"é".repeat(50_000)}\nend`, "many.txt": lines.join("\n") });
  const kind = clientKinds.at(-1) ?? expect.fail();
  const { texts } = await play(kind, project, [
    [
      ["read", { path: "long.txt" }],
      ["read", { path: "many.txt" }],
      ["read", { path: "many.txt", line: 4001 }],
    ],
  ]);
  expect(texts[0]).toBe(`1\t${"é".repeat(2000)}[48000 more characters]\n2\tend`);
  expect(texts[1]).toMatch(/\n2000\tLine 2000\n\[The file goes on\. To read more, call read with line 2001\.\]$/u);
  expect(texts[2]).toMatch(/\n5000\tLine 5000$/u);
});
