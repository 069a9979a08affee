import { expect, test } from "vitest";

import { createFileStore, createMemoryStore, listStored, type SessionStore, type StoredSession } from "../src/index.ts";
import { createFolder } from "./support/folder.ts";

interface Entry {
  readonly say: string;
}

async function all(session: StoredSession<Entry> | undefined): Promise<string[]> {
  const said: string[] = [];
  for await (const { say } of session?.entries() ?? []) said.push(say);
  return said;
}

const stores: [string, () => SessionStore<Entry>][] = [
  ["in memory", () => createMemoryStore()],
  ["in files", () => createFileStore(createFolder())],
];

test.each(stores)("a session has its entries in order, %s", async (_, create) => {
  const store = create();
  const session = await store.create({ sessionId: "one", cwd: "/project" });
  // Nobody waits for these.
  const appended = ["a", "b", "c"].map((say) => session.append({ say }));
  expect(await all(session)).toEqual(["a", "b", "c"]);
  await Promise.all(appended);
  await session.close();
  const again = await store.open("one");
  await again?.append({ say: "d" });
  expect(await all(again)).toEqual(["a", "b", "c", "d"]);
  expect(await store.open("two")).toBeUndefined();
});

test.each(stores)("an entry stays as it was when it was added, %s", async (_, create) => {
  const session = await create().create({ sessionId: "one", cwd: "/project" });
  const entry = { say: "before" };
  const appended = session.append(entry);
  entry.say = "after";
  await appended;
  expect(await all(session)).toEqual(["before"]);
});

test.each(stores)("a session has a title and a directory that change, %s", async (_, create) => {
  const store = create();
  const session = await store.create({ sessionId: "one", cwd: "/project" });
  expect(session.summary).toMatchObject({ sessionId: "one", cwd: "/project", title: undefined });
  await session.change({ title: "Hello" });
  await session.change({ cwd: "/moved" });
  expect(session.summary).toMatchObject({ cwd: "/moved", title: "Hello" });
  await session.close();
  expect(await store.list()).toEqual([
    { sessionId: "one", cwd: "/moved", title: "Hello", updatedAt: expect.any(Date) as Date },
  ]);
});

test.each(stores)("a fork goes its own way, %s", async (_, create) => {
  const store = create();
  const session = await store.create({ sessionId: "one", cwd: "/project", title: "Hello" });
  void session.append({ say: "a" });
  const fork = await store.fork("one", { sessionId: "two", cwd: "/other" });
  await fork?.append({ say: "b" });
  await session.append({ say: "c" });
  expect(await all(fork)).toEqual(["a", "b"]);
  expect(await all(session)).toEqual(["a", "c"]);
  expect(fork?.summary).toMatchObject({ sessionId: "two", cwd: "/other", title: "Hello" });
  expect(await store.fork("three", { sessionId: "four", cwd: "/" })).toBeUndefined();
});

test.each(stores)("a session that is deleted is gone, even while it is open, %s", async (_, create) => {
  const store = create();
  const session = await store.create({ sessionId: "one", cwd: "/project" });
  await store.delete("one");
  await store.delete("one");
  await session.append({ say: "late" });
  await session.close();
  expect(await store.list()).toEqual([]);
  expect(await store.open("one")).toBeUndefined();
  const next = await store.create({ sessionId: "one", cwd: "/project" });
  expect(await all(next)).toEqual([]);
});

test.each(stores)("ids are up to the agent, %s", async (_, create) => {
  const store = create();
  const ids = ["../../escape", "Case", "case", "a/b", "", ".", "ü".repeat(200)];
  for (const sessionId of ids) {
    const session = await store.create({ sessionId, cwd: "/project" });
    await session.append({ say: sessionId });
    await session.close();
  }
  for (const sessionId of ids) expect(await all(await store.open(sessionId))).toEqual([sessionId]);
  expect((await store.list()).map(({ sessionId }) => sessionId).toSorted()).toEqual(ids.toSorted());
});

test.each(stores)("the list has the sessions with a title, the latest first, %s", async (_, create) => {
  const store = create();
  for (const [sessionId, cwd, title] of [
    ["one", "/a", "One"],
    ["two", "/b", undefined],
    ["three", "/a", "Three"],
  ] as const) {
    await store.create({ sessionId, cwd, title });
    // Files have the time of a clock that is coarser than that of the process.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { sessions } = await listStored(store, {});
  expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["three", "one"]);
  expect((await listStored(store, { cwd: "/b" })).sessions).toEqual([]);
});
