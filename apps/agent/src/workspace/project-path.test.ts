import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { expect, test } from "vitest";

import { absolutePath } from "./project-path.ts";

test("absolutePath() resolves file URLs, and takes a URL without a path as a file name", () => {
  const cwd = resolve("/project");
  const path = resolve("/project/a b.txt");
  expect(absolutePath(cwd, "a b.txt")).toBe(path);
  expect(absolutePath(cwd, pathToFileURL(path).href)).toBe(path);
  for (const url of ["file://host:80/%zz", "file:///a%2Fb"]) expect(absolutePath(cwd, url)).toBe(resolve(cwd, url));
});
