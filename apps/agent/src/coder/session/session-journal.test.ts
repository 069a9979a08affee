import { createMemoryStore, type StoredSession } from "@acp/sessions";
import { expect, test } from "vitest";

import { SessionJournal } from "./session-journal.ts";
import type { SessionRecord } from "./session-record.ts";

async function createScene() {
  const stored = await createMemoryStore<SessionRecord>().create({ sessionId: "one", cwd: "/project" });
  const disk = { isFull: false };
  const failing: StoredSession<SessionRecord> = {
    summary: stored.summary,
    entries: () => stored.entries(),
    append: (record) => (disk.isFull ? Promise.reject(new Error("The disk is full")) : stored.append(record)),
    change: (change) => stored.change(change),
    close: () => stored.close(),
  };
  const reasons: string[] = [];
  const place = { unsaved: [], problems: [], report: (reason: string) => void reasons.push(reason) };
  return {
    stored,
    disk,
    reasons,
    journal: new SessionJournal(failing, place),
    again: new SessionJournal(failing, place),
  };
}

async function costsIn(journal: Pick<StoredSession<SessionRecord>, "entries">): Promise<unknown[]> {
  const costs: unknown[] = [];
  for await (const record of journal.entries()) if (record.type === "costs") costs.push(record.costs);
  return costs;
}

const record = (number: number): SessionRecord => ({ type: "costs", costs: { number } });

test("a journal that cannot be written continues in memory, even when it is opened again", async () => {
  const { disk, reasons, journal, again } = await createScene();
  await journal.append(record(1));
  expect(reasons).toEqual([]);
  disk.isFull = true;
  await journal.append(record(2));
  await journal.append(record(3));
  expect(reasons).toEqual(["The disk is full"]);
  expect(await costsIn(journal)).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
  await journal.close();
  expect(await costsIn(again)).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
});

test("writes the missing entries once there is room again, in order", async () => {
  const { stored, disk, journal } = await createScene();
  disk.isFull = true;
  // Nobody waits for these.
  for (const number of [1, 2, 3]) void journal.append(record(number));
  expect(await costsIn(journal)).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
  disk.isFull = false;
  await journal.append(record(4));
  expect(await costsIn(stored)).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }, { number: 4 }]);
});
