import { expect, test } from "vitest";

import type { FileInfo, Runtime, RuntimeFiles } from "../runtime/runtime.ts";
import { fileTable } from "../testing/file-table.ts";
import { haveNameIn } from "./other-names.ts";

const none = (): never => {
  throw new Error("Not used");
};

/** Files by their paths, with their ids and how many names they have, and how often one was looked at. */
function runtimeOf(
  entries: Readonly<Record<string, readonly [id: string | undefined, links: number] | readonly string[]>>,
  mayRead?: RuntimeFiles["mayRead"],
): { readonly runtime: Runtime; readonly looks: string[] } {
  const looks: string[] = [];
  const linkStat = async (path: string): Promise<FileInfo> => {
    looks.push(path);
    const entry = entries[path];
    if (entry === undefined) throw Object.assign(new Error(path), { code: "ENOENT" });
    const [id, links] = entry;
    const isFile = typeof links === "number";
    const rest = { size: 0, access: "", modified: 0 };
    return isFile ? { kind: "file", id, links, ...rest } : { kind: "directory", id: path, links: 9, ...rest };
  };
  const list = async (path: string): Promise<readonly string[]> => (entries[path] ?? []) as readonly string[];
  const files = { ...fileTable({}).files, linkStat, list, ...(mayRead && { mayRead }) };
  const posix = { platform: "posix", caseInsensitivePaths: false } as const;
  return { runtime: { ...posix, environment: none, spawn: none, startInForeground: none, files }, looks };
}

test("haveNameIn() does not look for files with one name, folders, and missing paths", async () => {
  const { runtime, looks } = runtimeOf({ "/a": ["1", 1], "/d": [], "/g": ["x"], "/g/x": ["1", 1] });
  expect(await haveNameIn(runtime, ["/a", "/d", "/missing"], ["/g"])).toBe("no");
  expect(looks).toEqual(["/a", "/d", "/missing"]);
});

test("haveNameIn() finds a file by its id, in folders of folders, and a folder that is a file", async () => {
  const { runtime } = runtimeOf({
    "/a": ["1", 2],
    "/b": ["2", 2],
    "/g": ["x", "y"],
    "/g/x": ["3", 2],
    "/g/y": ["z"],
    "/g/y/z": ["1", 2],
  });
  expect(await haveNameIn(runtime, ["/b", "/a"], ["/g"])).toBe("yes");
  expect(await haveNameIn(runtime, ["/b"], ["/g", "/missing"])).toBe("no");
  expect(await haveNameIn(runtime, ["/b"], ["/b"])).toBe("yes");
});

test("haveNameIn() does not know where it may not look, or the system has no ids", async () => {
  const locked = runtimeOf({ "/a": ["1", 2], "/g": [] }, (path) => path !== "/g");
  expect(await haveNameIn(locked.runtime, ["/a"], ["/g"])).toBe("unknown");
  const without = runtimeOf({ "/a": [undefined, 2], "/g": [] });
  expect(await haveNameIn(without.runtime, ["/a"], ["/g"])).toBe("unknown");
});

test("haveNameIn() looks at 5,000 entries, however many files are asked about", async () => {
  const names = Array.from({ length: 20_000 }, (_, index) => String(index));
  const many = Object.fromEntries(names.map((name) => [`/g/${name}`, ["1", 1] as const]));
  const asked = names.slice(0, 100).map((name) => `/a${name}`);
  const files = Object.fromEntries(asked.map((path, index) => [path, [`a${index}`, 2] as const]));
  const { runtime, looks } = runtimeOf({ ...files, ...many, "/g": names });
  expect(await haveNameIn(runtime, asked, ["/g"])).toBe("unknown");
  expect(looks).toHaveLength(5_100);
});
