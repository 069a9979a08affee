import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { createFileStore, createMemoryStore, listStored } from "../src/index.ts";
import { createFolder } from "./support/folder.ts";

test.skipIf(process.platform === "win32")(
  "a thousand sessions are listed by a process that may have 64 files open, page by page and in order (Windows has no such limit)",
  async () => {
    const folder = createFolder();
    const count = 1000;
    for (let index = 0; index < count; index++) {
      const path = join(folder, `s${index}`);
      mkdirSync(path);
      writeFileSync(join(path, "journal.jsonl"), "");
      writeFileSync(join(path, "summary.json"), JSON.stringify({ sessionId: `s${index}`, cwd: "/", title: "T" }));
    }
    const program = fileURLToPath(new URL("support/lister.ts", import.meta.url));
    const line = 'ulimit -n 64 && exec "$0" "$@"';
    const args = ["-c", line, process.execPath, "--conditions=@acp/source", program, folder];
    const child = spawn("sh", args, { stdio: ["ignore", "pipe", "pipe"] });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    expect(stderr).toBe("");
    const { orders, reads } = JSON.parse(stdout) as { orders: string[][]; reads: number[] };
    for (const ids of orders) expect(new Set(ids).size).toBe(count);
    expect(orders[1]).toEqual(orders[0]);
    // What was read once is not read again for the next page.
    expect(reads[0]).toBeGreaterThanOrEqual(count);
    expect(reads[1]).toBe(0);
  },
);

test("a session is found by every path that leads to its directory, and by no other", async () => {
  const folder = createFolder();
  const project = join(folder, "project");
  mkdirSync(join(project, "src"), { recursive: true });
  symlinkSync(project, join(folder, "link"), "junction");
  mkdirSync(join(folder, "other", "deep"), { recursive: true });
  symlinkSync(join(folder, "other", "deep"), join(folder, "deep"), "junction");
  const gone = join(folder, "link", "gone");
  const stores = [createMemoryStore<string>(), createFileStore<string>(join(folder, "store"))];
  for (const store of stores) {
    await store.create({ sessionId: "real", cwd: project, title: "T" });
    await store.create({ sessionId: "linked", cwd: `${join(folder, "link")}${sep}`, title: "T" });
    await store.create({ sessionId: "inside", cwd: join(project, "src"), title: "T" });
    await store.create({ sessionId: "gone", cwd: gone, title: "T" });
    const idsIn = async (cwd: string): Promise<string[]> =>
      (await listStored(store, { cwd })).sessions.map(({ sessionId }) => sessionId).toSorted();
    const both = ["linked", "real"];
    expect(await idsIn(`${project}/`)).toEqual(both);
    expect(await idsIn(`${folder}/project/src/..`)).toEqual(both);
    expect(await idsIn(`${folder}//link/.`)).toEqual(both);
    expect(await idsIn(`${folder}/link/src/`)).toEqual(["inside"]);
    // The directory is no longer there, but the one that it was in is.
    expect(await idsIn(`${project}/gone/`)).toEqual(["gone"]);
    // Behind a link, `..` is the parent of what it leads to.
    expect(await idsIn(`${folder}/deep/../project`)).toEqual([]);
    expect(await idsIn(folder)).toEqual([]);
    expect(await idsIn("/nowhere/at/all")).toEqual([]);
  }
});

test("pages of a directory follow each other", async () => {
  const folder = createFolder();
  const store = createMemoryStore<string>();
  for (let index = 0; index < 120; index++) {
    const cwd = index % 2 === 0 ? folder : "/elsewhere";
    await store.create({ sessionId: `s${index}`, cwd, title: "T" });
  }
  const first = await listStored(store, { cwd: `${folder}/` });
  const second = await listStored(store, { cwd: folder, cursor: first.nextCursor ?? null });
  expect([first.sessions.length, second.sessions.length]).toEqual([50, 10]);
});
