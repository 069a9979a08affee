import { describe, expect, test } from "vitest";

import { appendName, hasReservedName, isAbsolutePath, isWithin, normalizePath, parentPath } from "./paths.ts";

const posix = { platform: "posix", caseInsensitivePaths: false } as const;
const windows = { platform: "windows", caseInsensitivePaths: true } as const;

describe("isAbsolutePath()", () => {
  test.each(["/", "/a", "//a"])("CONV-02/client: takes %s on POSIX", (path) => {
    expect(isAbsolutePath(posix, path)).toBe(true);
  });
  test.each(["", "a", "./a", "~/a", "C:\\a", "file:///a"])("CONV-02/client: refuses %s on POSIX", (path) => {
    expect(isAbsolutePath(posix, path)).toBe(false);
  });
  test.each(["C:\\", "c:/a", "\\\\server\\share\\a", "//server/share"])(
    "CONV-02/client: takes %s on Windows",
    (path) => {
      expect(isAbsolutePath(windows, path)).toBe(true);
    },
  );
  test.each(["", "a", "C:", "C:a", "\\a", "/a", "\\\\.\\pipe\\x", "\\\\?\\C:\\a", "\\\\server"])(
    "CONV-02/client: refuses %s on Windows",
    (path) => {
      expect(isAbsolutePath(windows, path)).toBe(false);
    },
  );
});

describe("normalizePath()", () => {
  test.each([
    ["/", "/"],
    ["//a///b/", "/a/b"],
    ["/a/./b/../c", "/a/c"],
    ["/../../a", "/a"],
    ["/a\\b", "/a\\b"],
  ])("makes %s into %s on POSIX", (path, normalized) => {
    expect(normalizePath(posix, path)).toBe(normalized);
  });
  test.each([
    ["C:/a/../b", "C:\\b"],
    ["C:\\..\\..\\a", "C:\\a"],
    ["\\\\server\\share\\..\\..\\a", "\\\\server\\share\\a"],
  ])("makes %s into %s on Windows", (path, normalized) => {
    expect(normalizePath(windows, path)).toBe(normalized);
  });
});

test("parentPath() ends at the root", () => {
  expect(parentPath(posix, "/a/b")).toBe("/a");
  expect(parentPath(posix, "/a")).toBe("/");
  expect(parentPath(posix, "/")).toBeUndefined();
  expect(parentPath(windows, "C:\\a")).toBe("C:\\");
  expect(parentPath(windows, "C:\\")).toBeUndefined();
});

test("appendName() puts one separator between", () => {
  expect(appendName(posix, "/", "/x/name")).toBe("/name");
  expect(appendName(posix, "/a", "/x/name")).toBe("/a/name");
  expect(appendName(windows, "C:\\", "D:\\x\\name")).toBe("C:\\name");
});

test("isWithin() compares whole names", () => {
  expect(isWithin(posix, "/a/b", "/a/b")).toBe(true);
  expect(isWithin(posix, "/a/b", "/a/b/c")).toBe(true);
  expect(isWithin(posix, "/a/b", "/a/bc")).toBe(false);
  expect(isWithin(posix, "/a/b", "/a")).toBe(false);
  expect(isWithin(posix, "/", "/a")).toBe(true);
  expect(isWithin(posix, "/A", "/a/b")).toBe(false);
  expect(isWithin(windows, "C:\\A", "c:\\a\\B")).toBe(true);
  expect(isWithin(windows, "C:\\A", "C:\\AB")).toBe(false);
});

const reserved = ["b.txt:stream", "NUL", "com1.txt", "LPT².log", "nul .txt", "CONOUT$", "a.", "a \\b"];
test.each(reserved.map((name) => `C:\\a\\${name}`))("hasReservedName() finds %s", (path) => {
  expect(hasReservedName(windows, path)).toBe(true);
  expect(hasReservedName(posix, `/${path}`)).toBe(false);
});

test("hasReservedName() lets usual names pass", () => {
  for (const path of ["C:\\console\\.gitignore", "C:\\com\\nullable.ts", "C:\\a\\con 1"])
    expect(hasReservedName(windows, path)).toBe(false);
});
