import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createFileStore } from "../src/index.ts";
import { createFolder } from "./support/folder.ts";
import { startWriter } from "./support/start-writer.ts";

const journalOf = (folder: string, sessionId: string): string => join(folder, sessionId, "journal.jsonl");

async function read(folder: string, sessionId: string): Promise<unknown[]> {
  const session = await createFileStore<unknown>(folder).open(sessionId);
  const entries: unknown[] = [];
  for await (const entry of session?.entries() ?? []) entries.push(entry);
  await session?.close();
  return entries;
}

async function write(folder: string, sessionId: string, entries: readonly unknown[]): Promise<void> {
  const store = createFileStore<unknown>(folder);
  const session = (await store.open(sessionId)) ?? (await store.create({ sessionId, cwd: "/project" }));
  for (const entry of entries) await session.append(entry);
  await session.close();
}

test("a partial line after a crash is cut off, and the next entry is whole", async () => {
  const folder = createFolder();
  await write(folder, "one", ["a", "b"]);
  appendFileSync(journalOf(folder, "one"), '{"half": "of an ent');
  await write(folder, "one", ["c"]);
  expect(await read(folder, "one")).toEqual(["a", "b", "c"]);
});

test("a line that is broken in the middle is left out, and no other", async () => {
  const folder = createFolder();
  await write(folder, "one", ["a"]);
  appendFileSync(journalOf(folder, "one"), "\0\0\0\n\n");
  await write(folder, "one", ["b"]);
  expect(await read(folder, "one")).toEqual(["a", "b"]);
});

test("entries may be longer than one read, and have any character in them", async () => {
  const folder = createFolder();
  const entries = ["ü😀\n\u2028".repeat(50_000), "", { deep: [null, 1.5, "\n"] }];
  await write(folder, "one", entries);
  expect(await read(folder, "one")).toEqual(entries);
  appendFileSync(journalOf(folder, "one"), "x".repeat(200_000));
  await write(folder, "one", ["end"]);
  expect(await read(folder, "one")).toEqual([...entries, "end"]);
});

test("an entry that cannot be written is an error, and later ones are", async () => {
  const folder = createFolder();
  const session = await createFileStore<string>(folder).create({ sessionId: "one", cwd: "/project" });
  await session.append("a");
  const journal = journalOf(folder, "one");
  const before = readFileSync(journal);
  rmSync(journal);
  // A directory in its place: nothing can be added to it.
  const { mkdirSync, rmdirSync } = await import("node:fs");
  mkdirSync(journal);
  await expect(session.append("b")).rejects.toThrow("EISDIR");
  rmdirSync(journal);
  writeFileSync(journal, Buffer.concat([before, Buffer.from('"half of b')]));
  await session.append("c");
  await session.close();
  expect(await read(folder, "one")).toEqual(["a", "c"]);
});

test("only the owner can read its content", async () => {
  const folder = join(createFolder(), "sessions");
  await write(folder, "one", ["a"]);
  if (process.platform === "win32") return;
  for (const path of [join(folder, "one"), journalOf(folder, "one"), join(folder, "one", "summary.json")])
    expect(statSync(path).mode & 0o077, path).toBe(0);
});

test("nothing is left over of closed and deleted sessions", async () => {
  const folder = createFolder();
  await write(folder, "one", ["a"]);
  expect(readdirSync(join(folder, "one")).toSorted()).toEqual(["journal.jsonl", "summary.json"]);
  await createFileStore(folder).delete("one");
  expect(readdirSync(folder)).toEqual([]);
});

test("a session is open in one process at a time, and its lock ends with that process", async () => {
  const folder = createFolder();
  await write(folder, "one", []);
  const writer = startWriter(folder, "one");
  await writer.written(1);
  const store = createFileStore(folder);
  const refused = `The session is open in another process (${writer.process.pid})`;
  await expect(store.open("one")).rejects.toThrow(refused);
  await expect(store.delete("one")).rejects.toThrow(refused);
  // Others may look at it meanwhile.
  expect(await store.list()).toMatchObject([{ sessionId: "one" }]);
  const fork = await store.fork("one", { sessionId: "two", cwd: "/project" });
  await fork?.close();
  const last = await writer.kill();
  expect((await read(folder, "one")).length).toBeGreaterThanOrEqual(last);
  const next = startWriter(folder, "one");
  await next.written(1);
  expect(Number(next.lines[0]?.replace("open ", ""))).toBeGreaterThanOrEqual(last);
  await next.kill();
});

test("a lock from before the machine started is ignored, even if another process now has its pid", async () => {
  const folder = createFolder();
  await write(folder, "one", ["a"]);
  const lock = join(folder, "one", "lock");
  writeFileSync(lock, String(process.ppid));
  await expect(createFileStore(folder).open("one")).rejects.toThrow(`another process (${process.ppid})`);
  const longAgo = new Date("2001-01-01");
  utimesSync(lock, longAgo, longAgo);
  expect(await read(folder, "one")).toEqual(["a"]);
  expect(existsSync(lock)).toBe(false);
});

const isLinux = process.platform === "linux";
test.runIf(isLinux)(
  "a lock of an earlier process whose pid another process now has is ignored (other systems cannot tell)",
  async () => {
    const folder = createFolder();
    await write(folder, "one", ["a"]);
    // As in a container that was started again, where the same program has the same id.
    for (const pid of [process.pid, process.ppid]) {
      writeFileSync(join(folder, "one", "lock"), `${pid} 1`);
      expect(await read(folder, "one")).toEqual(["a"]);
    }
  },
);

test("two processes that write to two sessions of one folder do not disturb each other", async () => {
  const folder = createFolder();
  const writers = ["one", "two"].map((sessionId) => startWriter(folder, sessionId));
  await Promise.all(writers.map((writer) => writer.written(200)));
  const last = await Promise.all(writers.map((writer) => writer.kill()));
  for (const [index, sessionId] of ["one", "two"].entries()) {
    const entries = (await read(folder, sessionId)) as { number: number }[];
    expect(entries.map(({ number }) => number)).toEqual(entries.map((_, at) => at + 1));
    expect(entries.length).toBeGreaterThanOrEqual(last[index] ?? Infinity);
  }
});

test("of many processes that open a session at once, one gets it", async () => {
  const folder = createFolder();
  await write(folder, "one", []);
  // The lock of a process that has ended: all of them want to remove it.
  writeFileSync(join(folder, "one", "lock"), "999999999");
  const writers = Array.from({ length: 6 }, () => startWriter(folder, "one"));
  const failures = await Promise.all(
    writers.map((writer) => Promise.race([writer.written(1).then(() => undefined, String), writer.failed()])),
  );
  const opened = failures.filter((failure) => failure === undefined);
  expect(opened).toHaveLength(1);
  for (const failure of failures) if (failure !== undefined) expect(failure).toContain("open in another process");
  await Promise.all(writers.map((writer) => writer.kill()));
});

test("two stores of one folder in one process are the same", async () => {
  const folder = createFolder();
  const session = await createFileStore<string>(folder).create({ sessionId: "one", cwd: "/project" });
  const again = await createFileStore<string>(join(folder, ".")).open("one");
  await Promise.all([session.append("a"), again?.append("b")]);
  // Nobody waits for the end of the first one.
  void session.close();
  void again?.close();
  expect(await read(folder, "one")).toEqual(["a", "b"]);
});
