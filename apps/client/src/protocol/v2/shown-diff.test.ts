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

test("showDiff() shows a patch that cannot be read, and what is beside its lines", () => {
  expect(shown("rm a\nrm b\n")).toEqual(expect.arrayContaining(["  rm a", "  rm b"]));
  expect(shown("rm a\n", unknownVariant)).toContain("  rm a");
  const mode = "diff --git a/p/a b/p/a\nold mode 100644\nnew mode 100755\n";
  expect(shown(mode + patchOf("/p/a", "new"))).toEqual(expect.arrayContaining(["  new mode 100755", "  +new"]));
});

test("showDiff() shows a change of an unknown kind", () => {
  const change = { operation: unknownVariant, received: { operation: "chown", path: "/p/b" } } as const;
  expect(shown("", "git_patch", [change])).toContain('  {"operation":"chown","path":"/p/b"}');
});
