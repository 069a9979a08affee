// The patches that `diff` of `@acp/core/v2/agent` makes are read by Git: it makes the new texts of the old ones. It reads no
// patch of a file without text whose path is absolute, as the protocol wants them.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { diff, type FileDiff } from "@acp/core/v2/agent";
import { afterAll, expect, test } from "vitest";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "acp-patches-")));
afterAll(() => rmSync(folder, { recursive: true }));

/** Has Git make a change, and returns what is in the files that are named. */
function applied(...files: readonly [FileDiff, ...FileDiff[]]): readonly (string | undefined)[] {
  for (const { path, oldPath = path, oldText } of files) if (oldText != null) writeFileSync(oldPath, oldText);
  const input = diff(...files).patch?.text ?? "";
  execFileSync("git", ["apply", "--unsafe-paths", "-p0", "-"], { cwd: folder, input, stdio: ["pipe", "pipe", "pipe"] });
  return files
    .flatMap(({ path, oldPath = path }) => (oldPath === path ? [path] : [oldPath, path]))
    .map((path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined));
}

const file = (name: string): string => join(folder, name);

test("files are made, changed and deleted by one patch", () => {
  expect(
    applied(
      { path: file("new"), newText: "a\nb" },
      { path: file("changed"), oldText: "a\nb\n", newText: "a\nc" },
      { path: file("gone"), oldText: "a\n", newText: null },
    ),
  ).toEqual(["a\nb", "a\nc", undefined]);
});

test("a file is moved, with a change and without one, and another one is changed", () => {
  expect(
    applied(
      { path: file("to"), oldPath: file("from"), oldText: "a\nb\nc\n", newText: "a\nb\nd\n" },
      { path: file("new place"), oldPath: file("old place"), oldText: "a", newText: "a" },
      { path: file("beside"), oldText: "a\n", newText: "b\n" },
    ),
  ).toEqual([undefined, "a\nb\nd\n", undefined, "a", "b\n"]);
});

test.each(["a b", "\u00fc\u4e2d\u{1f600}", 'quote"', "back\\slash", "tab\tand\nline"])(
  "a file is found by its name: %j",
  (name) => {
    const [path, moved] = [file(name), file(`${name}, moved`)];
    expect(applied({ path, oldText: "a\r\n", newText: "b\r\n" })).toEqual(["b\r\n"]);
    expect(applied({ path: moved, oldPath: path, oldText: "b\n", newText: "b\n" })).toEqual([undefined, "b\n"]);
  },
);

test("makes the new text from the old one, with any content", () => {
  let seed = 5;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const changes = Array.from({ length: 40 }, (_, index): FileDiff => {
    const before = Array.from({ length: random(40) }, () => String(random(6)));
    const after = before.flatMap(
      (line) => [[line], [line], [line], [], [`${random(6)}`, line], ["x"]][random(6)] ?? [],
    );
    const text = (lines: readonly string[]): string => lines.join("\n") + (random(2) === 0 ? "\n" : "");
    return { path: file(`text-${index}`), oldText: text(before), newText: text(after) };
  });
  const [first, ...others] = changes.filter(({ oldText, newText }) => oldText !== newText);
  expect(applied(first as FileDiff, ...others)).toEqual(
    changes.filter(({ oldText, newText }) => oldText !== newText).map(({ newText }) => newText),
  );
});
