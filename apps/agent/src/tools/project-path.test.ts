import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { expect, test } from "vitest";

import { absolutePath } from "./project-path.ts";

test("absolutePath() takes URLs of files, and one that has no path for the name of a file", () => {
  const cwd = resolve("/project");
  const path = resolve("/project/a b.txt");
  expect(absolutePath(cwd, "a b.txt")).toBe(path);
  expect(absolutePath(cwd, pathToFileURL(path).href)).toBe(path);
  for (const url of ["file://host:80/%zz", "file:///a%2Fb"]) expect(absolutePath(cwd, url)).toBe(resolve(cwd, url));
});
