// The journal in files when files are cut, broken or cannot be written.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";

import { describe, expect, onTestFinished, test } from "vitest";

import { createFolder, described, openFiles } from "../support/journal-folder.ts";
import { appendAll, claimed, entryText, numbers, numbersOf, pageOf, textsOf } from "./texts.ts";

const sessionOf = (folder: string): string => join(folder, "sessions", "s");

test("a journal that is cut at any byte of its last writes has whole writes, and goes on", async () => {
  const folder = createFolder();
  const journal = openFiles(folder);
  await journal.create("s", described);
  const claim = await claimed(journal, "s");
  await appendAll(journal, claim, 2);
  const segment = join(sessionOf(folder), "1-1.jsonl");
  const start = statSync(segment).size;
  // One entry with letters of several bytes, and two in one write.
  await journal.append([{ claim, from: 3, entries: [entryText(3, 1, "é🚀")] }]);
  const middle = statSync(segment).size;
  await journal.append([{ claim, from: 4, entries: textsOf(claim, 4, 2) }]);
  const end = statSync(segment).size;
  await journal.release(claim);
  for (const size of numbers(start, end)) {
    const copy = createFolder();
    cpSync(folder, copy, { recursive: true });
    truncateSync(join(sessionOf(copy), "1-1.jsonl"), size);
    const whole = size === end ? 5 : size >= middle ? 3 : 2;
    const cut = openFiles(copy);
    expect(await numbersOf(cut, "s"), `${size}`).toEqual(numbers(1, whole));
    const next = await claimed(cut, "s", { keeper: "next" });
    expect(next.next).toBe(whole + 1);
    await appendAll(cut, next, 2);
    expect(await numbersOf(cut, "s")).toEqual(numbers(1, whole + 2));
    expect(await pageOf(cut, "s", { epoch: 1, n: whole }, 1000)).toMatchObject({ cursor: { epoch: 2, n: whole + 2 } });
    // Nothing of what was cut is left.
    expect(readFileSync(join(sessionOf(copy), "1-1.jsonl"), "utf8")).toMatch(/\n$/u);
  }
});

test("zeros that a loss of power has left are skipped", async () => {
  const folder = createFolder();
  const journal = openFiles(folder);
  await journal.create("s", described);
  const claim = await claimed(journal, "s");
  await appendAll(journal, claim, 2);
  await journal.release(claim);
  writeFileSync(
    join(sessionOf(folder), "1-1.jsonl"),
    Buffer.concat([readFileSync(join(sessionOf(folder), "1-1.jsonl")), Buffer.alloc(5000)]),
  );
  const other = openFiles(folder);
  expect(await numbersOf(other, "s")).toEqual([1, 2]);
  const next = await claimed(other, "s", { keeper: "next" });
  await appendAll(other, next, 1);
  expect(await numbersOf(other, "s")).toEqual([1, 2, 3]);
});

test("without the file of its last claim a session has no epoch twice; with a broken description it can be read", async () => {
  const folder = createFolder();
  const journal = openFiles(folder);
  await journal.create("s", described);
  await journal.create("other", described);
  for (const n of [1, 2]) {
    const claim = await claimed(journal, "s", { keeper: `k${n}` });
    await appendAll(journal, claim, 1);
    await journal.release(claim);
  }
  writeFileSync(join(sessionOf(folder), "claim.json"), "{");
  writeFileSync(join(sessionOf(folder), "description.json"), "");
  const other = openFiles(folder);
  expect(await claimed(other, "s")).toMatchObject({ epoch: 3, next: 3 });
  expect((await other.list({})).sessions.map(({ session }) => session).toSorted()).toEqual(["other", "s"]);
  await other.change("s", { title: "Mended" });
  expect(await journal.describe("s")).toMatchObject({ title: "Mended" });
});

test.skipIf(!existsSync("/dev/full"))(
  "a full disk refuses entries, and the next ones go on (needs /dev/full)",
  async () => {
    const folder = createFolder();
    const journal = openFiles(folder);
    await journal.create("s", described);
    const claim = await claimed(journal, "s");
    await appendAll(journal, claim, 2);
    const segment = join(sessionOf(folder), "1-1.jsonl");
    renameSync(segment, join(folder, "aside"));
    symlinkSync("/dev/full", segment);
    await expect(journal.append([{ claim, from: 3, entries: textsOf(claim, 3, 2) }])).rejects.toThrow("ENOSPC");
    rmSync(segment);
    copyFileSync(join(folder, "aside"), segment);
    expect(await numbersOf(journal, "s")).toEqual([1, 2]);
    expect(await journal.append([{ claim, from: 3, entries: textsOf(claim, 3, 2) }])).toEqual(["done"]);
    expect(await numbersOf(openFiles(folder), "s")).toEqual([1, 2, 3, 4]);
  },
);

/** A folder on a disk of 200 kB. */
function createSmallDisk(): string | undefined {
  const folder = createFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=200k", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync("umount", [folder]));
  return folder;
}

test("a disk that gets full in the middle of a write has none of it (needs the right to mount)", async ({ skip }) => {
  const folder = createSmallDisk();
  skip(folder === undefined, "this user may not mount a disk");
  if (folder === undefined) return;
  const journal = openFiles(folder);
  await journal.create("s", described);
  const claim = await claimed(journal, "s");
  const write = (from: number): Promise<unknown> =>
    journal.append([{ claim, from, entries: numbers(from, from + 4).map((n) => entryText(n, 1, "x".repeat(3000))) }]);
  let from = 1;
  let failure: unknown;
  for (; failure === undefined; from += failure === undefined ? 5 : 0) {
    failure = await write(from).then(
      () => undefined,
      (error: unknown) => error,
    );
  }
  expect(failure).toMatchObject({ code: "ENOSPC" });
  expect(await numbersOf(journal, "s")).toEqual(numbers(1, from - 1));
  expect(await numbersOf(openFiles(folder), "s")).toEqual(numbers(1, from - 1));
  await expect(journal.send("s", "key", "x".repeat(50_000))).rejects.toThrow("ENOSPC");
  expect(await journal.commands(claim, 0)).toEqual([]);
  await expect(
    journal.compact(
      claim,
      from - 1,
      numbers(1, from - 1).map((n) => entryText(n, 0, "y".repeat(3000))),
    ),
  ).rejects.toThrow("ENOSPC");
  expect(await numbersOf(journal, "s")).toHaveLength(from - 1);
  // Compacting to less makes room.
  expect(await journal.compact(claim, from - 1, [entryText(from - 1, 0, "all")])).toBe("done");
  await write(from);
  expect(await numbersOf(journal, "s")).toEqual([from - 1, ...numbers(from, from + 4)]);
});

describe("what is on the disk", () => {
  test("is nothing of a command once it is settled, nor of a session once it is removed", async () => {
    const folder = createFolder();
    const journal = openFiles(folder);
    await journal.create("s", described);
    const claim = await claimed(journal, "s");
    const first = await journal.send("s", "k1", "hunter2 for the first");
    const second = await journal.send("s", "k2", "hunter2 for the second");
    expect(textsIn(folder)).toContain("hunter2");
    await journal.settle(claim, [first?.at ?? 0]);
    await journal.settle(claim, [second?.at ?? 0]);
    expect(textsIn(folder)).not.toContain("hunter2");
    await journal.append([{ claim, from: 1, entries: [entryText(1, 1, "a secret")] }]);
    await journal.compact(claim, 1, []);
    expect(textsIn(folder)).not.toContain("a secret");
    await journal.remove("s");
    expect(readdirSync(join(folder, "sessions"))).toEqual([]);
    expect(readdirSync(folder).toSorted()).toEqual(["sessions", "stamps"]);
  });

  test.skipIf(process.platform === "win32")("concerns its owner alone (Windows has no such modes)", async () => {
    const folder = join(createFolder(), "new");
    const journal = openFiles(folder);
    await journal.create("s", described);
    const claim = await claimed(journal, "s");
    await appendAll(journal, claim, 2);
    await journal.send("s", "key", "{}");
    await journal.change("s", { title: "t" });
    await journal.compact(claim, 1, [entryText(1, 0)]);
    for (const path of pathsIn(folder)) {
      const stats = statSync(path);
      expect((stats.mode & 0o777).toString(8), path).toBe(stats.isDirectory() ? "700" : "600");
    }
  });

  test("is a new segment when one has grown long; a reader finds its place in any of them", async () => {
    const folder = createFolder();
    const journal = openFiles(folder);
    await journal.create("s", described);
    const claim = await claimed(journal, "s");
    for (const from of [1, 101, 201, 301]) {
      const entries = numbers(from, from + 99).map((n) => entryText(n, 1, "x".repeat(50_000)));
      await journal.append([{ claim, from, entries }]);
    }
    expect(readdirSync(sessionOf(folder)).filter((name) => name.endsWith(".jsonl"))).toHaveLength(4);
    const reader = openFiles(folder);
    for (const n of [1, 100, 101, 250, 399]) {
      expect(await pageOf(reader, "s", { epoch: 1, n }, 1), `${n}`).toMatchObject({ cursor: { epoch: 1, n: n + 1 } });
    }
    expect(await numbersOf(reader, "s")).toEqual(numbers(1, 400));
    await journal.compact(claim, 250, [entryText(200, 0)]);
    expect(
      readdirSync(sessionOf(folder))
        .filter((name) => name.endsWith(".jsonl"))
        .toSorted(),
    ).toEqual(["1-201.jsonl", "1-250.compacted.jsonl", "1-301.jsonl"]);
    expect(await numbersOf(reader, "s")).toEqual([200, ...numbers(251, 400)]);
  });
});

/** All files and folders in a folder, and it. */
function pathsIn(folder: string): readonly string[] {
  return [folder, ...readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name))];
}

function textsIn(folder: string): string {
  return pathsIn(folder)
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");
}
