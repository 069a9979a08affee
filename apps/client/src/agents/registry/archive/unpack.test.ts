import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { type ArchiveEntry, tarGz, zip } from "../../testing/archives.ts";
import { cannotUnpack } from "./archive-kind.ts";
import { unpackArchive } from "./unpack-archive.ts";
import { unpackZip } from "./unpack-zip.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "acp-unpack-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function unpackNamed(name: string, bytes: Uint8Array): Promise<void> {
  return unpackArchive({ bytes, name, cmd: "bin/agent" }, folder, process.env);
}

function unpackTar(bytes: Uint8Array): Promise<void> {
  return unpackNamed("a.tar.gz", bytes);
}

const filterOf = (filter: string) => (bytes: Uint8Array) =>
  spawnSync(filter, ["-c"], { input: bytes, maxBuffer: 2 ** 24 }).stdout;
const tar = (entries: readonly ArchiveEntry[]): Uint8Array => gunzipSync(tarGz(entries));

const big = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
const kinds = [
  { kind: "tar.gz", unpack: (entries: readonly ArchiveEntry[]) => unpackTar(tarGz(entries)), file: 0 },
  { kind: "tar", unpack: (entries: readonly ArchiveEntry[]) => unpackNamed("a.tar", tar(entries)), file: 0 },
  ...["bzip2", "xz"].map((filter) => ({
    kind: `tar.${filter}`,
    unpack: (entries: readonly ArchiveEntry[]) => unpackNamed("download", filterOf(filter)(tar(entries))),
    file: 0,
  })),
  // oxlint-disable-next-line require-await -- as the other
  { kind: "zip", unpack: async (entries: readonly ArchiveEntry[]) => unpackZip(zip(entries), folder), file: 0o100000 },
] as const;

describe.each(kinds)("an archive ($kind)", ({ unpack, file }) => {
  test("is unpacked with folders and modes", async () => {
    await unpack([
      { name: "./bin/agent", content: big, mode: file | 0o755 },
      { name: "empty", content: "" },
      { name: "bin/readme.txt", content: "hello", mode: file | 0o644 },
    ]);
    expect(readFileSync(join(folder, "bin/agent"))).toEqual(big);
    expect(readFileSync(join(folder, "bin/readme.txt"), "utf8")).toBe("hello");
    expect(readFileSync(join(folder, "empty"), "utf8")).toBe("");
    expect(statSync(join(folder, "bin/agent")).mode & 0o111).not.toBe(0);
    expect(statSync(join(folder, "bin/readme.txt")).mode & 0o111).toBe(0);
  });

  test.each(["../out", "a/../../out", "/tmp/out", "a\\..\\..\\out", "C:\\out", "c:out", ".."])(
    "does not write to %j",
    async (name) => {
      await expect(unpack([{ name, content: "x" }])).rejects.toThrow("unsafe path");
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test("has no links", async () => {
    await expect(unpack([{ name: "link", content: "/etc", mode: 0o120777, type: "2" }])).rejects.toThrow("a link");
  });
});

describe("a broken archive", () => {
  test("of tar.gz is refused where it is cut", async () => {
    const whole = tarGz([{ name: "a", content: big }]);
    await expect(unpackTar(whole.subarray(0, whole.length / 2))).rejects.toThrow();
  });

  test("of tar.gz is refused where a checksum is wrong", async () => {
    await expect(unpackTar(gzipSync(Buffer.alloc(512, "x")))).rejects.toThrow("broken");
  });

  test.each([
    ["empty", (bytes: Buffer) => bytes.subarray(0, 0)],
    ["cut", (bytes: Buffer) => bytes.subarray(0, bytes.length - 30)],
    ["with another content", (bytes: Buffer) => Buffer.from(bytes).fill(0, 40, 60)],
  ])("of zip is refused: %s", (_name, damage) => {
    const bytes = Buffer.from(zip([{ name: "a", content: big }]));
    expect(() => unpackZip(damage(bytes), folder)).toThrow();
  });
});

test.each([
  ["that ends in the middle of a file", (bytes: Buffer) => bytes.subarray(0, 1024)],
  ["that ends before its end", (bytes: Buffer) => bytes.subarray(0, bytes.length - 1024)],
])("a tar archive %s is refused", async (_, damage) => {
  const bytes = damage(Buffer.from(tar([{ name: "a", content: Buffer.from(big) }])));
  await expect(unpackNamed("a.tar", bytes)).rejects.toThrow("truncated");
});

test("unpackArchive() reads long names, which both kinds of tar write in an entry of their own", async () => {
  const [one, two] = [`${"d/".repeat(70)}one`, `${"e/".repeat(70)}two`];
  const record = ` path=${one}\n`;
  const length = record.length + String(record.length + 3).length;
  await unpackTar(
    tarGz([
      { name: "header", type: "x", content: `${length}${record}` },
      { name: "cut", content: "1" },
      { name: "././@LongLink", type: "L", content: `${two}\0` },
      { name: "cut", content: "2" },
    ]),
  );
  expect(readFileSync(join(folder, one), "utf8")).toBe("1");
  expect(readFileSync(join(folder, two), "utf8")).toBe("2");
});

const script = Buffer.from("#!/bin/sh\necho hi\n");

test.each([
  ["as it is", "agent", script],
  ["in .gz", "agent.gz", gzipSync(script)],
  ["in .bz2, whatever it is called", "agent", filterOf("bzip2")(script)],
  ["in .xz, whatever it is called", "agent.exe", filterOf("xz")(script)],
])("a program is written %s", async (_, name, bytes) => {
  await unpackNamed(name, bytes);
  expect(readFileSync(join(folder, "bin/agent"))).toEqual(script);
  expect(statSync(join(folder, "bin/agent")).mode & 0o111).not.toBe(0);
});

test.each([
  ["a compressed file in a compressed file", "agent.gz", gzipSync(gzipSync(script))],
  ["an archive of another kind", "agent", Buffer.from("7z\u00BC\u00AF\u0027\u001C", "latin1")],
  ["a page of a server", "agent", Buffer.from("<!doctype html>")],
  ["nothing", "agent", Buffer.alloc(0)],
  ["half of a file", "agent.bz2", filterOf("bzip2")(big).subarray(0, 40)],
])("rejects a file that is not a program: %s", async (_, name, bytes) => {
  await expect(unpackNamed(name, bytes)).rejects.toThrow(/neither|cannot unpack it/u);
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ["https://x.example/a.tar.bz2?v=1", "/bin", "a .tar.bz2 file needs the program bzip2, which is not on PATH"],
  ["https://x.example/A.TAR.XZ", "", "a .tar.xz file needs the program xz, which is not on PATH"],
  ["https://x.example/a.dmg", "", "acp cannot unpack .dmg files"],
  ["https://x.example/a.7z", "", "acp cannot unpack .7z files"],
  ["https://x.example/a.tar.gz", "", undefined],
  ["https://x.example/agent", "", undefined],
])("cannotUnpack(%j) with the PATH %j", (url, path, reason) => {
  expect(cannotUnpack(url, { PATH: path === "" ? "" : folder })).toBe(reason);
});
