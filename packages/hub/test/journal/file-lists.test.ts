import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

import { expect, test } from "vitest";

import type { ListedSession, SessionFilter } from "../../src/journal/journal.ts";
import { createFolder, openFiles } from "../support/journal-folder.ts";
import { numbers } from "./texts.ts";

/** Ten thousand with `THOROUGH`; these take long to make. */
const count = process.env["THOROUGH"] === undefined ? 1000 : 10_000;

/** Makes sessions as the journal does, one a second. */
function makeSessions(folder: string): void {
  mkdirSync(join(folder, "stamps"), { recursive: true });
  for (const n of numbers(1, count)) {
    const path = join(folder, "sessions", `s${n}`);
    mkdirSync(path, { recursive: true });
    const description = { agent: "codex", cwd: `/project/${n % 100}`, owner: n % 100 === 0 ? "rare" : "me" };
    writeFileSync(join(path, "description.json"), JSON.stringify({ session: `s${n}`, createdAt: n, description }));
    // A list that looked into it would fail.
    mkdirSync(join(path, "1-1.jsonl"));
    writeFileSync(join(folder, "stamps", `s${n}`), "");
    utimesSync(join(folder, "stamps", `s${n}`), n, n);
  }
}

test(`${count} sessions are listed page by page, the latest first, without their journals`, async () => {
  const folder = createFolder();
  makeSessions(folder);
  const journal = openFiles(folder);
  const listAll = async (filter: SessionFilter): Promise<readonly ListedSession[]> => {
    const found: ListedSession[] = [];
    let next: string | undefined;
    do {
      const page = await journal.list(filter, next);
      found.push(...page.sessions);
      ({ next } = page);
    } while (next !== undefined && found.length < 500);
    return found;
  };
  const first = await listAll({});
  expect(first.map(({ session }) => session)).toEqual(numbers(0, 499).map((n) => `s${count - n}`));
  const rare = await listAll({ owner: "rare" });
  expect(rare.map(({ session }) => session)).toEqual(numbers(0, count / 100 - 1).map((n) => `s${count - 100 * n}`));
  expect((await listAll({ cwd: "/project/7" })).map(({ updatedAt }) => updatedAt.getTime() / 1000)).toEqual(
    numbers(0, count / 100 - 1).map((n) => count - 93 - 100 * n),
  );
  expect(await listAll({ agent: "none" })).toEqual([]);
});
