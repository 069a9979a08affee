// What is broken in a file costs that line, or nothing.
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";

import { describe, expect, test } from "vitest";

import { createFileStore, type FileStoreOptions, type StoreProblem } from "../src/index.ts";
import { createFolder } from "./support/folder.ts";

interface Entry {
  readonly say: string;
}

function check(value: unknown): string | undefined {
  const isEntry = typeof value === "object" && value !== null && "say" in value && typeof value.say === "string";
  return isEntry ? undefined : "it says nothing";
}

const textOf = ({ say }: Entry): string => say;

/** A folder with the session `one`, in which `a` and `b` were said, and what its store reports. */
async function createScene(options: FileStoreOptions<Entry> = {}) {
  const folder = createFolder();
  const problems: StoreProblem[] = [];
  const store = createFileStore<Entry>(folder, { check, ...options, onProblem: (problem) => problems.push(problem) });
  const session = await store.create({ sessionId: "one", cwd: "/project", title: "First" });
  for (const say of ["a", "b"]) await session.append({ say });
  await session.close();
  const files = { journal: join(folder, "one", "journal.jsonl"), summary: join(folder, "one", "summary.json") };
  async function read(): Promise<string[]> {
    const opened = await store.open("one");
    const said: string[] = [];
    for await (const { say } of opened?.entries() ?? []) said.push(say);
    // What is bad is reported once, however often it is read.
    for await (const _ of opened?.entries() ?? []) expect(said).toHaveLength(said.length);
    await opened?.close();
    return said;
  }
  return { ...files, folder, store, problems, read };
}

describe("a line that is broken", () => {
  test.each([
    ["another shape", Buffer.from('{"shout":1}'), "it says nothing"],
    ["null", Buffer.from("null"), "it says nothing"],
    ["half a line", Buffer.from('{"say":"half'), "it is not JSON"],
    [
      "bytes that are not UTF-8",
      Buffer.concat([Buffer.from('{"say":"'), Buffer.of(0xc3, 0x28), Buffer.from('"}')]),
      "it is not UTF-8",
    ],
    ["zeros", Buffer.alloc(4096), "it is not JSON"],
  ])("is left out, and no other: %s", async (_, bytes, reason) => {
    const { journal, read, problems, store } = await createScene();
    // The first line is the summary.
    appendFileSync(journal, Buffer.concat([bytes, Buffer.from("\n")]));
    const session = await store.open("one");
    await session?.append({ say: "c" });
    await session?.close();
    expect(await read()).toEqual(["a", "b", "c"]);
    expect(problems).toEqual([{ sessionId: "one", path: journal, line: 4, reason }]);
  });

  test("at the end is cut off and reported, but kept if only the end of the line is missing", async () => {
    const { journal, read, problems } = await createScene();
    appendFileSync(journal, '{"say":"c"}');
    expect(await read()).toEqual(["a", "b", "c"]);
    expect(problems).toEqual([]);
    appendFileSync(journal, '{"say":"d');
    expect(await read()).toEqual(["a", "b", "c"]);
    expect(problems).toEqual([{ sessionId: "one", path: journal, line: 5, reason: "it is not finished" }]);
    appendFileSync(journal, "12");
    expect(await read()).toEqual(["a", "b", "c"]);
  });

  test("may come from an editor: a mark of the encoding, and ends of lines of Windows", async () => {
    const { journal, read, problems } = await createScene();
    writeFileSync(journal, `\uFEFF${readFileSync(journal, "utf8").replaceAll("\n", "\r\n")}`);
    expect(await read()).toEqual(["a", "b"]);
    expect(problems).toEqual([]);
  });
});

describe("a text that comes in parts", () => {
  test("is a few lines, and one entry for each", async () => {
    const { journal, read, store } = await createScene({ textOf });
    const session = await store.open("one");
    for (let index = 0; index < 50_000; index++) await session?.append({ say: "tok " });
    await session?.close();
    expect(readFileSync(journal, "utf8").split("\n").length).toBeLessThan(12);
    const said = await read();
    expect(said.join("")).toBe(`ab${"tok ".repeat(50_000)}`);
  });

  test("has its written length after a crash, even if later files are missing", async () => {
    const text = 'quotes " and \\ \n\u2028 and 😀 ü';
    const { journal, read, store } = await createScene({ textOf });
    const before = readFileSync(journal);
    const session = await store.open("one");
    // Letters one by one: also the halves of one that takes two.
    for (let index = 0; index < text.length; index++) await session?.append({ say: text[index] ?? "" });
    const grown = readFileSync(journal);
    await session?.close();
    for (let size = before.length + 9; size <= grown.length; size++) {
      writeFileSync(journal, grown);
      truncateSync(journal, size);
      const said = (await read()).join("").slice(2);
      expect(text.startsWith(said)).toBe(true);
      if (size === grown.length) expect(said).toBe(text);
    }
  });

  test("is not joined with an entry that differs in anything else, nor with one that does not end with it", async () => {
    const { read, store, journal } = await createScene({ textOf });
    const session = await store.open("one");
    const entries: (Entry & { readonly to?: string })[] = [
      { to: "x", say: "1" },
      { to: "x", say: "2" },
      { to: "y", say: "3" },
      { say: "4", to: "x" },
      { say: "5", to: "x" },
      { to: "x", say: "6" },
    ];
    for (const entry of entries) await session?.append(entry);
    const said: string[] = [];
    for await (const { say } of session?.entries() ?? []) said.push(say);
    expect(said.slice(-5)).toEqual(["12", "3", "4", "5", "6"]);
    await session?.append({ say: "7" });
    await session?.close();
    expect((await read()).join("")).toBe("ab1234567");
    expect(readFileSync(journal, "utf8").endsWith("\n")).toBe(true);
  });

  test("of a session that is forked in its middle continues in both", async () => {
    const { store } = await createScene({ textOf });
    const session = await store.open("one");
    await session?.append({ say: "1" });
    const fork = await store.fork("one", { sessionId: "two", cwd: "/other" });
    await session?.append({ say: "2" });
    await fork?.append({ say: "3" });
    for (const [opened, expected] of [
      [session, "ab12"],
      [fork, "ab13"],
    ] as const) {
      let said = "";
      for await (const { say } of opened?.entries() ?? []) said += say;
      expect(said).toBe(expected);
    }
    expect(fork?.summary).toMatchObject({ cwd: "/other", title: "First" });
  });
});

describe("a summary", () => {
  test.each([
    ["empty", ""],
    ["half", '{"sessionId":"one","cw'],
    ["of another shape", '{"sessionId":1}'],
    ["null", "null"],
  ])("that is %s is rebuilt from the journal", async (_, text) => {
    const { summary, store, problems, read } = await createScene();
    const session = await store.open("one");
    await session?.change({ title: "Second", cwd: "/moved" });
    await session?.close();
    const whole = readFileSync(summary, "utf8");
    writeFileSync(summary, text);
    expect(await store.list()).toMatchObject([{ sessionId: "one", cwd: "/moved", title: "Second" }]);
    expect(problems).toMatchObject([{ sessionId: "one", path: summary, reason: expect.stringContaining("rebuilt") }]);
    expect(readFileSync(summary, "utf8")).toBe(whole);
    writeFileSync(summary, text);
    expect(await read()).toEqual(["a", "b"]);
  });

  test("that is missing, or whose session is named by a hash, is rebuilt as well", async () => {
    const { summary, store } = await createScene();
    const other = await store.create({ sessionId: "A/b", cwd: "/project" });
    await other.close();
    rmSync(summary);
    expect((await store.list()).map(({ sessionId }) => sessionId).toSorted()).toEqual(["A/b", "one"]);
  });

  test("of a journal from an older version is the name of its folder", async () => {
    const { summary, journal, store, read } = await createScene();
    writeFileSync(journal, '{"say":"old"}\n');
    writeFileSync(summary, "");
    expect(await store.list()).toMatchObject([{ sessionId: "one", cwd: "/", title: undefined }]);
    expect(await read()).toEqual(["old"]);
  });

  test("that cannot be read hides no other session", async () => {
    const { summary, store, folder, problems } = await createScene();
    const other = await store.create({ sessionId: "two", cwd: "/project" });
    await other.close();
    rmSync(summary);
    mkdirSync(summary);
    mkdirSync(join(folder, "three"));
    writeFileSync(join(folder, "a-file"), "");
    mkdirSync(join(folder, "four", "journal.jsonl"), { recursive: true });
    const listed = await store.list();
    expect(listed.map(({ sessionId }) => sessionId)).toEqual(expect.arrayContaining(["one", "two"]));
    expect(problems).toEqual(expect.arrayContaining([expect.objectContaining({ path: summary })]));
    if (process.platform === "win32" || process.getuid?.() === 0) return;
    chmodSync(join(folder, "two"), 0o000);
    expect((await store.list()).map(({ sessionId }) => sessionId)).toContain("one");
    chmodSync(join(folder, "two"), 0o700);
  });
});

test.runIf(existsSync("/dev/full"))(
  "a session on a full disk can be read, and each entry that is not written is an error",
  async () => {
    const { journal, store, read } = await createScene();
    const bytes = readFileSync(journal);
    const session = await store.open("one");
    rmSync(journal);
    symlinkSync("/dev/full", journal);
    await expect(session?.append({ say: "c" })).rejects.toThrow("ENOSPC");
    await expect(session?.change({ title: "Second" })).rejects.toThrow("ENOSPC");
    rmSync(journal);
    writeFileSync(journal, bytes);
    await session?.append({ say: "d" });
    await session?.close();
    expect(await read()).toEqual(["a", "b", "d"]);
  },
);
