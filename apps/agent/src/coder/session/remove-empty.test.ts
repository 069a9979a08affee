import { utimesSync } from "node:fs";

import { createFileStore } from "@acp/sessions";
import { expect, test } from "vitest";

import { createProject } from "../../tools/testing/project.ts";
import { removeEmptySessions } from "./remove-empty.ts";

test("old sessions without a title are deleted, and no others", async () => {
  const project = createProject();
  const store = createFileStore<unknown>(project.path);
  const old = new Date("2001-01-01");
  for (const [sessionId, title] of [["empty"], ["named", "Hello"], ["new"]] as const) {
    const session = await store.create({ sessionId, cwd: "/project", title });
    await session.close();
    if (sessionId !== "new") utimesSync(project.at(`${sessionId}/journal.jsonl`), old, old);
  }
  await removeEmptySessions(store);
  expect((await store.list()).map(({ sessionId }) => sessionId).toSorted()).toEqual(["named", "new"]);
});
