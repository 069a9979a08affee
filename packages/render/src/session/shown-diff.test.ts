import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v2";
import { expect, test } from "vitest";

import { showDiff } from "./shown-diff.ts";

const patchOf = (path: string, line: string): string => `--- ${path}\n+++ ${path}\n@@ -1 +1 @@\n-old\n+${line}\n`;

/** What is shown of a change of `/p/a` with this patch. */
function shown(text: string, format: "git_patch" | typeof unknownVariant = "git_patch", changes = [modify]): string[] {
  const patch = { format, text } as Received.DiffPatch;
  return showDiff({ changes, patch }).flatMap(({ path, lines }) => [path, ...lines().map((line) => `  ${line.text}`)]);
}

const modify: Received.DiffChange = { operation: "modify", path: "/p/a" };

test("showDiff() shows the patch of a file, also with a relative name", () => {
  const lines = ["/p/a", "  @@ -1,1 +1,1 @@", "  -old", "  +new"];
  expect(shown(patchOf("/p/a", "new"))).toEqual(lines);
  expect(shown(patchOf("b/a", "new"))).toEqual(lines);
});

test("showDiff() says whose patch it is if that is another file", () => {
  expect(shown(patchOf("/etc/passwd", "evil"))).toEqual([
    "/p/a",
    "  the patch is for /etc/passwd",
    "  @@ -1,1 +1,1 @@",
    "  -old",
    "  +evil",
  ]);
});

test("showDiff() shows files of the patch that are not among the changes", () => {
  expect(shown(patchOf("/p/a", "new") + patchOf("/etc/passwd", "evil"))).toEqual(
    expect.arrayContaining(["/etc/passwd", "  the agent does not list this change", "  +evil"]),
  );
});

test("showDiff() shows an unreadable patch, and the text around its lines", () => {
  expect(shown("rm a\nrm b\n")).toEqual(expect.arrayContaining(["  rm a", "  rm b"]));
  expect(shown("rm a\n", unknownVariant)).toContain("  rm a");
  const mode = "diff --git a/p/a b/p/a\nold mode 100644\nnew mode 100755\n";
  expect(shown(mode + patchOf("/p/a", "new"))).toEqual(expect.arrayContaining(["  new mode 100755", "  +new"]));
});

test("showDiff() shows text between patches under the file it belongs to", () => {
  const executable = "diff --git a/p/b b/p/b\nold mode 100644\nnew mode 100755\n";
  const text = `diff --git a/p/a b/p/a\n${patchOf("/p/a", "new")}${executable}${patchOf("/p/b", "new")}`;
  const lines = ["  @@ -1,1 +1,1 @@", "  -old", "  +new"];
  const modes = ["  old mode 100644", "  new mode 100755"];
  const both = [modify, { operation: "modify", path: "/p/b" }] as const;
  expect(shown(text, "git_patch", [...both])).toEqual(["/p/a", ...lines, "/p/b", ...modes, ...lines]);
  const unlisted = shown(`${text}diff --git a/p/c b/p/c\nold mode 100644\nnew mode 100755\n`, "git_patch", [...both]);
  expect(unlisted.slice(10)).toEqual([
    "b/p/c",
    "  the agent does not list this change",
    "  diff --git a/p/c b/p/c",
    ...modes,
  ]);
});

test("showDiff() shows the mode of a new file only if it is special", () => {
  const patch = (mode: string): string =>
    `diff --git a/p/a b/p/a\nnew file mode ${mode}\n--- /dev/null\n+++ b/p/a\n@@ -0,0 +1 @@\n+new\n`;
  const add: Received.DiffChange = { operation: "add", path: "/p/a" };
  expect(shown(patch("100644"), "git_patch", [add])).toEqual(["/p/a", "  @@ -1,0 +1,1 @@", "  +new"]);
  expect(shown(patch("100755"), "git_patch", [add])).toContain("  new file mode 100755");
  expect(shown(patch("100644"), "git_patch", [modify])).toContain("  new file mode 100644");
});

test("showDiff() shows a change of an unknown kind", () => {
  const change = { operation: unknownVariant, received: { operation: "chown", path: "/p/b" } } as const;
  expect(shown("", "git_patch", [change])).toContain('  {"operation":"chown","path":"/p/b"}');
});
