import { settled, testClock, type TestClock } from "@acp/testing";
import { beforeEach, expect, test } from "vitest";

import type { Claim, Journal } from "../journal/journal.ts";
import { createMemoryJournal } from "../journal/memory-journal.ts";
import { CommandInbox } from "./command-inbox.ts";

let clock: TestClock;
let journal: Journal;
let claim: Claim;
let end: AbortController;
let taken: string[];
let problems: string[];

beforeEach(async () => {
  clock = testClock();
  journal = createMemoryJournal({ now: () => clock.now() });
  await journal.create("s", { agent: "test", cwd: "/" });
  claim = (await journal.claim("s", "k", 1e9)) as Claim;
  end = new AbortController();
  [taken, problems] = [[], []];
});

function inboxOf(commands: Journal["commands"] = (held, after) => journal.commands(held, after)): CommandInbox {
  const inbox = new CommandInbox({
    journal: { ...journal, commands, settle: (held: Claim, places: readonly number[]) => journal.settle(held, places) },
    claim,
    clock,
    signal: end.signal,
    take: ({ key, at }, isOld) => {
      taken.push(isOld ? `old ${key}` : key);
      if (key === "stop") end.abort();
      else inbox.settle(at);
    },
    onFailure: (message) => problems.push(message),
  });
  return inbox;
}

async function send(...keys: readonly string[]): Promise<void> {
  for (const key of keys) await journal.send("s", key, "{}");
}

test("each command is taken once and in order, by a wake or by a look, and then removed", async () => {
  const inbox = inboxOf();
  await send("a", "b");
  void inbox.lookOften();
  await settled();
  await send("c");
  void inbox.look();
  void inbox.look();
  await settled();
  await send("d");
  expect(taken).toEqual(["old a", "old b", "c"]);
  await clock.pass(2000);
  expect(taken).toEqual(["old a", "old b", "c", "d"]);
  expect(await journal.commands(claim, 0)).toEqual([]);
});

test("a wake that comes while commands are read is not lost", async () => {
  const reads: (() => void)[] = [];
  const inbox = inboxOf(async (held, after) => {
    const commands = await journal.commands(held, after);
    await new Promise<void>((resolve) => reads.push(resolve));
    return commands;
  });
  void inbox.look();
  await settled();
  await send("late");
  void inbox.look();
  reads.shift()?.();
  await settled();
  reads.shift()?.();
  await settled();
  expect(taken).toEqual(["late"]);
});

test("commands that cannot be read are read later", async () => {
  let isDown = true;
  const inbox = inboxOf((held, after) => (isDown ? Promise.reject(new Error("down")) : journal.commands(held, after)));
  await send("a");
  void inbox.lookOften();
  await clock.pass(4000);
  expect([taken, problems.length > 0]).toEqual([[], true]);
  isDown = false;
  await clock.pass(2000);
  expect(taken).toEqual(["old a"]);
});

test("those behind one that ends the keeper are left for the next one", async () => {
  const inbox = inboxOf();
  await send("a", "stop", "b");
  await inbox.look();
  await inbox.look();
  expect(taken).toEqual(["old a", "old stop"]);
  expect((await journal.commands(claim, 0)).map(({ key }) => key)).toEqual(["stop", "b"]);
});
