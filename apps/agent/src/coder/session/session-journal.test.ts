import { createMemoryStore } from "@acp/sessions";
import { expect, test } from "vitest";

import { SessionJournal } from "./session-journal.ts";
import type { SessionRecord } from "./session-record.ts";

test("a journal that cannot be written is told once, and the session goes on", async () => {
  const stored = await createMemoryStore<SessionRecord>().create({ sessionId: "one", cwd: "/project" });
  let isFull = false;
  const journal = new SessionJournal({
    summary: stored.summary,
    entries: () => stored.entries(),
    append: (record) => (isFull ? Promise.reject(new Error("The disk is full")) : stored.append(record)),
    change: (change) => stored.change(change),
    close: () => stored.close(),
  });
  const record: SessionRecord = { type: "costs", costs: {} };
  await journal.append(record);
  expect(journal.takeProblem()).toBeUndefined();
  isFull = true;
  await journal.append(record);
  await journal.append(record);
  expect(journal.takeProblem()).toBe("This session is no longer saved. The disk is full");
  expect(journal.takeProblem()).toBeUndefined();
});
