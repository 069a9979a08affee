import { spawnSync } from "node:child_process";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createFileSystem, type HostContext, type RuntimeFiles } from "@acp/host";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { nodeFiles } from "./files.ts";
import { nodeRuntime } from "./node-runtime.ts";

const onLinux = process.platform === "linux";

let directory: string;
beforeEach(() => (directory = realpathSync(mkdtempSync(join(tmpdir(), "acp-files-")))));
afterEach(() => rmSync(directory, { recursive: true }));

/** The system's files, with some changes. */
function changed(changes: Partial<RuntimeFiles>): RuntimeFiles {
  return { ...nodeFiles, ...changes };
}

async function write(name: string, content: string, files: RuntimeFiles = nodeFiles): Promise<void> {
  const handlers = createFileSystem({ ...nodeRuntime, files })();
  await handlers["fs/write_text_file"]({ path: join(directory, name), content }, context());
}

async function readFile(name: string, files: RuntimeFiles): Promise<string> {
  const handlers = createFileSystem({ ...nodeRuntime, files })();
  return (await handlers["fs/read_text_file"]({ path: join(directory, name) }, context())).content;
}

function context(): HostContext {
  const { signal } = new AbortController();
  return { session: { id: "session", cwd: directory, additionalDirectories: [], signal }, signal };
}

function failing(code: string): () => Promise<never> {
  return () => Promise.reject(Object.assign(new Error(code), { code }));
}

function read(name: string): string {
  return readFileSync(join(directory, name), "utf8");
}

describe("fs/*", () => {
  test.each([
    ["where the system says where an open file is", {}],
    ["where it does not", { openFiles: undefined }],
  ])("FS-08: refuses a file that is opened elsewhere than it was checked, %s", async (_, changes) => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), "acp-outside-")));
    try {
      for (const path of [directory, outside]) writeFileSync(join(path, "file"), "old");
      const files = changed({
        ...changes,
        // As if a folder on the way had been another one in this moment alone.
        open: (path, access, mode) =>
          nodeFiles.open(path.endsWith("/file") ? join(outside, "file") : path, access, mode),
      });
      const wire = { code: -32602, data: { reason: "outside_roots" } };
      await expect(readFile("file", files)).rejects.toMatchObject({ wire });
      // A directory that is held cannot be another one.
      if ("openFiles" in changes) await expect(write("file", "new", files)).rejects.toMatchObject({ wire });
      expect(readFileSync(join(outside, "file"), "utf8")).toBe("old");
    } finally {
      rmSync(outside, { recursive: true });
    }
  });
});

describe("fs/write_text_file", () => {
  test.runIf(onLinux).each([
    ["the directory takes no new file", { open: refuseToCreate("EACCES") }],
    ["the file system is read-only but for the file", { open: refuseToCreate("EROFS") }],
    ["the file is a mount", { rename: failing("EBUSY") }],
    ["the directory lets nobody replace files of others", { rename: failing("EPERM") }],
    ["nothing copies attributes", { copyAttributes: async () => false }],
    ["the new file cannot have the owner", { copyAttributes: async () => true }],
  ])("writes in place where %s", async (_, changes) => {
    writeFileSync(join(directory, "file"), "old", { mode: 0o640 });
    const { ino } = statSync(join(directory, "file"));
    await write("file", "new", changed(changes));
    expect([read("file"), statSync(join(directory, "file")).ino]).toEqual(["new", ino]);
    expect(readdirSync(directory)).toEqual(["file"]);
  });

  test("creates a file in place where it cannot be renamed", async () => {
    await write("file", "new", changed({ rename: failing("EBUSY") }));
    expect([read("file"), readdirSync(directory)]).toEqual(["new", ["file"]]);
  });

  test.each(["ENOSPC", "EDQUOT", "EIO", "EFBIG"])("leaves everything as it was after %s", async (code) => {
    writeFileSync(join(directory, "file"), "old");
    const files = changed({
      async open(path, access, mode) {
        const file = await nodeFiles.open(path, access, mode);
        // There is room for some of it.
        return {
          ...file,
          write: async (bytes, at) => (at > 0 ? failing(code)() : file.write(bytes.subarray(0, 1), at)),
        };
      },
      // On Linux it is replaced; elsewhere it is written in place.
      ...(onLinux ? {} : { copyAttributes: async () => false }),
    });
    await expect(write("file", "longer", files)).rejects.toThrow();
    await expect(write("new", "content", files)).rejects.toThrow();
    expect([read("file"), readdirSync(directory)]).toEqual(["old", ["file"]]);
  });

  test("writes again if another process removed its temporary file as a killed process's", async () => {
    let isFirst = true;
    const rename: RuntimeFiles["rename"] = async (from, to) => {
      if (isFirst) await nodeFiles.remove(from);
      isFirst = false;
      return nodeFiles.rename(from, to);
    };
    await write("file", "new", changed({ rename }));
    expect([isFirst, read("file"), readdirSync(directory)]).toEqual([false, "new", ["file"]]);
  });

  test.runIf(onLinux)("removes the temporary files of writers that are gone, and no others", async () => {
    const place = `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8)}.${/\d+/u.exec(readlinkSync("/proc/self/ns/pid"))?.[0]}`;
    const start = (pid: number | string): string | undefined =>
      readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ")[19];
    const name = (writer: string, digit: string): string => `.acp-write-${writer}${digit.repeat(16)}.tmp`;
    const { pid: ended } = spawnSync("true");
    const gone = [
      name(`${place}.${ended}.1-`, "1"),
      // Another process with the same id.
      name(`${place}.${process.ppid}.1-`, "2"),
    ];
    const old = [name("01234567.1.1.1-", "3"), name("", "4")];
    const living = [
      name(`${place}.${process.ppid}.${start(process.ppid)}-`, "5"),
      name(`${place}.${process.pid}.${start("self")}-`, "6"),
      // Of a writer that nobody can look for.
      name("01234567.1.1.1-", "7"),
      name("", "8"),
      // No temporary files.
      ".acp-write-notes.tmp",
      `${name("", "9")}.txt`,
    ];
    for (const each of [...gone, ...old, ...living]) writeFileSync(join(directory, each), "");
    const yesterday = new Date(Date.now() - 86_400_000);
    for (const each of [...old, ...living.slice(0, 2)]) utimesSync(join(directory, each), yesterday, yesterday);
    await write("file", "new");
    expect(readdirSync(directory).toSorted()).toEqual([...living, "file"].toSorted());
  });
});

function refuseToCreate(code: string): RuntimeFiles["open"] {
  return (path, access, mode) => (access === "create" ? failing(code)() : nodeFiles.open(path, access, mode));
}
