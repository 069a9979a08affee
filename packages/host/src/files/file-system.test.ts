import { expect, test } from "vitest";

import type { Runtime, RuntimeFile } from "../runtime/runtime.ts";
import { fileTable } from "../testing/file-table.ts";
import { createFileSystem } from "./file-system.ts";

test("fs/write_text_file does not make the root of a drive, which Windows forbids", async () => {
  const done: string[] = [];
  const table = fileTable({ directories: ["D:\\", "\\\\server\\share\\"] }).files;
  const opened = new Map<string, RuntimeFile>();
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
      ...table,
      realPath: async (path) => path,
      linkStat: async (path) => opened.get(path)?.info() ?? table.linkStat(path),
      list: async () => [],
      rename: async (_, to) => void done.push(`write ${to}`),
      makeDirectory: async (path) => void done.push(`make ${path}`),
      async open(path) {
        const file = emptyFile(path);
        opened.set(path, file);
        return file;
      },
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

function emptyFile(id: string): RuntimeFile {
  return {
    number: 3,
    info: async () => ({ kind: "file", size: 0, id, links: 1, access: "", modified: 0 }),
    read: async () => 0,
    write: async (bytes) => bytes.length,
    truncate: async () => {},
    sync: async () => {},
    close: async () => {},
  };
}
