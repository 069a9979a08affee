import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { type ArchiveEntry, tarGz, zip } from "../../testing/archives.ts";
import { unpackTar } from "./unpack-tar.ts";
import { unpackZip } from "./unpack-zip.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "acp-unpack-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const big = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
const kinds = [
  { kind: "tar.gz", unpack: (entries: readonly ArchiveEntry[]) => unpackTar(tarGz(entries), folder), file: 0 },
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
    await expect(unpackTar(whole.subarray(0, whole.length / 2), folder)).rejects.toThrow();
  });

  test("of tar.gz is refused where a checksum is wrong", async () => {
    await expect(unpackTar(gzipSync(Buffer.alloc(512, "x")), folder)).rejects.toThrow("broken");
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

test("unpackTar() reads long names, which both kinds of tar write in an entry of their own", async () => {
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
    folder,
  );
  expect(readFileSync(join(folder, one), "utf8")).toBe("1");
  expect(readFileSync(join(folder, two), "utf8")).toBe("2");
});
