import { expect, test } from "vitest";

import type { Runtime } from "../runtime/runtime.ts";
import { fileTable } from "../testing/file-table.ts";
import { createFileSystem } from "./file-system.ts";

test("fs/write_text_file does not make the root of a drive, which Windows forbids", async () => {
  const done: string[] = [];
  const none = (): never => {
    throw new Error("Not used");
  };
  const runtime: Runtime = {
    platform: "windows",
    caseInsensitivePaths: true,
    environment: none,
    spawn: none,
    startInForeground: none,
    files: {
      ...fileTable({ directories: ["D:\\", "\\\\server\\share\\"] }).files,
      makeDirectory: async (path) => void done.push(`make ${path}`),
      write: async (path) => void done.push(`write ${path}`),
    },
  };
  const write = createFileSystem(runtime)()["fs/write_text_file"];
  const { signal } = new AbortController();
  for (const cwd of ["D:\\", "\\\\server\\share\\"]) {
    const session = { id: "s", cwd, additionalDirectories: [], signal };
    for (const name of ["a.txt", "sub\\b.txt"]) await write({ path: cwd + name, content: "" }, { session, signal });
  }
  expect(done).toEqual([
    String.raw`write D:\a.txt`,
    String.raw`make D:\sub`,
    String.raw`write D:\sub\b.txt`,
    String.raw`write \\server\share\a.txt`,
    String.raw`make \\server\share\sub`,
    String.raw`write \\server\share\sub\b.txt`,
  ]);
});
