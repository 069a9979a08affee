// Changes of files as version 2 has them. That Git reads the patches is proven in `tests/src/interop/version-2`.
import { describe, expect, it } from "vitest";
import { diff, type FileDiff } from "./entry.ts";
import { editLines, splitLines } from "../../base/line-edits.ts";

const path = "/project/a.txt";
const patchOf = (file: FileDiff): string | undefined => diff(file).patch?.text;
const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
const lines = (...parts: readonly (number | string)[]): string => parts.map((part) => `${part}\n`).join("");

describe("diff()", () => {
  it("describes what happens to a file, and how its text changes", () => {
    const [oldText, newText] = [lines(...numbers(1, 9)), lines(...numbers(1, 4), "five", ...numbers(6, 9))];
    expect(diff({ path, oldText, newText })).toEqual({
      type: "diff",
      changes: [{ operation: "modify", path, fileType: "text" }],
      patch: {
        format: "git_patch",
        text: `diff --git ${path} ${path}\n--- ${path}\n+++ ${path}\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n`,
      },
    });
  });

  it.each<[string, FileDiff, string, string]>([
    [
      "a new file",
      { path, newText: "a\n" },
      "add",
      "new file mode 100644\n--- /dev/null\n+++ /project/a.txt\n@@ -0,0 +1 @@\n+a\n",
    ],
    ["a new file without text", { path, newText: "" }, "add", "new file mode 100644\n"],
    [
      "a file that is deleted",
      { path, oldText: "a\nb", newText: null },
      "delete",
      "deleted file mode 100644\n--- /project/a.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n\\ No newline at end of file\n",
    ],
    [
      "a file that gets its last line end",
      { path, oldText: "a", newText: "a\n" },
      "modify",
      "--- /project/a.txt\n+++ /project/a.txt\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n",
    ],
  ])("shows %s", (_what, file, operation, patch) => {
    expect(diff(file).changes).toEqual([{ operation, path, fileType: "text" }]);
    expect(patchOf(file)).toBe(`diff --git ${path} ${path}\n${patch}`);
  });

  it("shows a move, with or without a change", () => {
    const oldPath = "/project/old name";
    expect(diff({ path, oldPath, oldText: "a\nb\n", newText: "a\nc\n" })).toMatchObject({
      changes: [{ operation: "move", oldPath, path }],
    });
    const head = `diff --git ${oldPath} ${path}\n`;
    const renamed = `rename from ${oldPath}\nrename to ${path}\n`;
    expect(patchOf({ path, oldPath, oldText: "a\nb\n", newText: "a\nc\n" })).toBe(
      `${head}similarity index 50%\n${renamed}--- ${oldPath}\t\n+++ ${path}\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n`,
    );
    expect(patchOf({ path, oldPath, newText: "a\n" })).toBe(`${head}similarity index 100%\n${renamed}`);
  });

  it("writes paths as Git does: the rest is in quotes, with escapes", () => {
    const strange = 'C:\\müll\t"a"';
    expect(patchOf({ path: strange, newText: "" })).toBe(
      `diff --git "C:\\\\m\\303\\274ll\\t\\"a\\"" "C:\\\\m\\303\\274ll\\t\\"a\\""\nnew file mode 100644\n`,
    );
  });

  it("has several files in one, and leaves out files that a patch cannot express", () => {
    const both = diff({ path, newText: "a\n" }, { path: "/project/b", oldText: "b\n", newText: "c\n" });
    expect(both.changes.map(({ operation }) => operation)).toEqual(["add", "modify"]);
    expect(both.patch?.text.match(/^diff --git/gm)).toHaveLength(2);
    // Not the same path as the one that the session makes of it; deleted, and nobody knows what was in it; the same.
    expect(diff({ path: "src/a.ts", newText: "a" })).not.toHaveProperty("patch");
    expect(diff({ path, newText: null })).toEqual({
      type: "diff",
      changes: [{ operation: "delete", path, fileType: "text" }],
    });
    expect(diff({ path, oldText: "a", newText: "a" })).not.toHaveProperty("patch");
  });

  it("shows changes that are near to each other as one, and others on their own", () => {
    const heads = (second: number): unknown =>
      patchOf({
        path,
        oldText: lines(...numbers(1, 30)),
        newText: lines(...numbers(1, 30).map((line) => (line === 10 || line === second ? "x" : line))),
      })?.match(/^@@.*@@$/gm);
    expect(heads(17)).toEqual(["@@ -7,14 +7,14 @@"]);
    expect(heads(18)).toEqual(["@@ -7,7 +7,7 @@", "@@ -15,7 +15,7 @@"]);
  });
});

describe("editLines()", () => {
  const edit = (before: string, after: string): string =>
    editLines(splitLines(before), splitLines(after))
      .map(([kind, line]) => kind + line.trimEnd())
      .join(" ");

  it("keeps as much as can be kept", () => {
    expect(edit(lines("a", "b", "c", "a", "b", "b", "a"), lines("c", "b", "a", "b", "a", "c"))).toMatch(/^[^+]*-a -b /);
    expect(edit(lines(1, 2, 3), lines(1, 3))).toBe(" 1 -2  3");
    expect(edit("", "")).toBe("");
  });

  it("turns any first text into the second", () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 300; round++) {
      const text = (): string =>
        lines(...Array.from({ length: random(25) }, () => random(4))).slice(0, random(3) === 0 ? -1 : undefined);
      const [before, after] = [text(), text()];
      const edits = editLines(splitLines(before), splitLines(after));
      const side = (other: string): string => edits.map(([kind, line]) => (kind === other ? "" : line)).join("");
      expect([side("+"), side("-")]).toEqual([before, after]);
    }
  });

  it("abandons the shortest edit script when everything differs, and stays correct", () => {
    const [before, after] = [lines(...numbers(1, 3000)), lines(...numbers(10_001, 13_000))];
    const edits = editLines(splitLines(before + "end\n"), splitLines(after + "end\n"));
    expect(edits).toHaveLength(6001);
    expect(edits.at(-1)).toEqual([" ", "end\n"]);
  });
});
