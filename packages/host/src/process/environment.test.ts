import { expect, test } from "vitest";

import { fileTable } from "../testing/file-table.ts";
import { mergeEnvironment } from "./environment.ts";

const runtime = {
  platform: "posix",
  caseInsensitivePaths: false,
  environment: () => ({ Path: "a", HOME: "/h" }),
  spawn: () => Promise.reject(new Error("Not used")),
  startInForeground: () => Promise.reject(new Error("Not used")),
  files: fileTable({}).files,
} as const;

test("mergeEnvironment() adds, replaces and takes away", () => {
  expect(mergeEnvironment(runtime, { HOME: undefined, PATH: "b" })).toEqual({ Path: "a", PATH: "b" });
});

test("mergeEnvironment() takes names that differ in case as the same on Windows", () => {
  expect(mergeEnvironment({ ...runtime, platform: "windows" }, { PATH: "b" })).toEqual({ HOME: "/h", PATH: "b" });
});
