import { testClock, type TestClock } from "@acp/testing";
import { beforeEach, expect, test } from "vitest";

import type { Claim, Journal } from "../journal/journal.ts";
import { createMemoryJournal } from "../journal/memory-journal.ts";
import { keepLease } from "./lease.ts";

const lease = 12_000;
let clock: TestClock;
let journal: Journal;
let claim: Claim;
let lost: number | undefined;
let end: AbortController;

beforeEach(async () => {
  clock = testClock();
  journal = createMemoryJournal({ now: () => clock.now() });
  await journal.create("s", { agent: "test", cwd: "/" });
  claim = (await journal.claim("s", "k", lease)) as Claim;
  lost = undefined;
  end = new AbortController();
});

function keep(renew: Journal["renew"] = (claims, time) => journal.renew(claims, time)): void {
  void keepLease({
    journal: { ...journal, renew },
    claim,
    clock,
    lease,
    signal: end.signal,
    onLost: () => {
      lost ??= clock.now();
      end.abort();
    },
    onFailure: () => {},
  });
}

test("a claim that is extended is never free", async () => {
  keep();
  for (let time = 0; time < 5 * lease; time += 1000) {
    await clock.pass(1000);
    expect(await journal.claim("s", "other", lease)).toEqual({ heldBy: "k" });
  }
  expect(lost).toBeUndefined();
});

test.each([
  ["fails", () => Promise.reject(new Error("down"))],
  ["never answers", () => new Promise<never>(() => {})],
])("a journal that %s for as long as a claim lasts ends it then, and no sooner", async (_what, renew) => {
  keep(renew);
  await clock.pass(lease - 1);
  expect(lost).toBeUndefined();
  await clock.pass(10 * lease);
  expect(lost).toBe(lease);
});

test("a journal that fails for less does not", async () => {
  let isDown = true;
  keep((claims, time) => (isDown ? Promise.reject(new Error("down")) : journal.renew(claims, time)));
  await clock.pass(0.7 * lease);
  isDown = false;
  await clock.pass(0.7 * lease);
  isDown = true;
  await clock.pass(0.7 * lease);
  expect(lost).toBeUndefined();
});

test("a claim that others have taken ends at the next look", async () => {
  await journal.release(claim);
  await journal.claim("s", "other", lease);
  keep();
  await clock.pass(lease);
  expect(lost).toBe(lease / 4);
});

test("a machine that has slept goes on, if nobody has wanted the session", async () => {
  await clock.pass(10 * lease);
  keep();
  await clock.pass(lease);
  expect(lost).toBeUndefined();
  expect(await journal.claim("s", "other", lease)).toEqual({ heldBy: "k" });
});
