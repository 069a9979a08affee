import { expect, test } from "vitest";

import { extensionOf, pathIn } from "./paths.ts";

test.each([
  ["/project", "/project/src/a.ts", "src/a.ts"],
  ["/project/", "/project/src/", "src/"],
  ["/", "/etc/hosts", "etc/hosts"],
  ["/project", "/project", "/project"],
  ["/project", "/project/", "/project/"],
  ["/project", "/projects/a.ts", "/projects/a.ts"],
  ["/project", "/other/a.ts", "/other/a.ts"],
  ["/project", "src/a.ts", "src/a.ts"],
  ["", "/etc/hosts", "/etc/hosts"],
  ["C:\\project", "c:\\project\\src\\a.ts", "src/a.ts"],
  ["C:\\project", "C:/project/a.ts", "a.ts"],
  ["C:\\project", "D:\\project\\a.ts", "D:\\project\\a.ts"],
  ["\\\\host\\share", "\\\\host\\share\\a.ts", "a.ts"],
])("in %s, %s is shown as %s", (cwd, path, shown) => {
  expect(pathIn(cwd, path)).toBe(shown);
});

test.each(["/project/../etc/passwd", "/project/a/../../b", "/project/./a", "/project//etc/passwd", "/project/a/.."])(
  "%s stays whole: it does not say at a glance where it leads",
  (path) => {
    expect(pathIn("/project", path)).toBe(path);
  },
);

test("a backslash is a letter of a name where paths have slashes", () => {
  expect(pathIn("/project", "/project/a\\..\\b")).toBe("a\\..\\b");
  expect(pathIn("/project", "/project\\a")).toBe("/project\\a");
});

test.each([
  ["/project/a.TS", "ts"],
  ["C:\\work\\a.py", "py"],
  ["/project/.gitignore", ""],
  ["/pro.ject/Makefile", ""],
  ["a.test.mjs", "mjs"],
  ["a.", ""],
])("the extension of %s is %j", (path, extension) => {
  expect(extensionOf(path)).toBe(extension);
});
