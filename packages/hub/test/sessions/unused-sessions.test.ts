import { testClock, type TestClock } from "@acp/testing";
import { expect, test } from "vitest";

import { UnusedSessions, type UnusedSessionsParts } from "../../src/front/unused-sessions.ts";
import { createMemoryJournal, type Journal } from "../../src/index.ts";
import { createTestAgent } from "../support/test-agent.ts";
import { cwd, startHub } from "../support/test-hub.ts";

const [hour, day] = [3_600_000, 86_400_000];

async function start(
  parts: Partial<UnusedSessionsParts> = {},
): Promise<{ clock: TestClock; journal: Journal; left(): Promise<readonly string[]>; unused: UnusedSessions }> {
  const clock = testClock();
  const journal = createMemoryJournal({ now: () => clock.now() });
  const unused = new UnusedSessions({
    journal,
    clock,
    keepTime: 10 * day,
    isUsed: () => false,
    onFailure: () => {},
    ...parts,
  });
  return {
    clock,
    journal,
    unused,
    left: async () => (await journal.list({})).sessions.map(({ session }) => session).toSorted(),
  };
}

const described = { agent: "test", cwd: "/" };

test("a session that nobody has used for the time is removed, and one that was written to is not", async () => {
  const { clock, journal, left } = await start();
  for (const session of ["old", "changed", "kept", "used"]) await journal.create(session, described);
  await clock.pass(9 * day);
  await journal.change("changed", { title: "T" });
  expect(await left()).toHaveLength(4);
  await journal.claim("kept", "keeper", 2 * day);
  await clock.pass(day + 6 * hour);
  expect(await left()).toEqual(["changed", "kept"]);
  // When its keeper has ended, and it is claimed for the removal alone.
  await clock.pass(2 * day);
  expect(await left()).toEqual(["changed"]);
});

test("a session that a client of this hub uses stays, however old", async () => {
  const { clock, journal, left } = await start({ isUsed: (session) => session === "watched" });
  for (const session of ["watched", "old"]) await journal.create(session, described);
  await clock.pass(30 * day);
  expect(await left()).toEqual(["watched"]);
});

test("a session that is used again in the last moment stays, and can be claimed", async () => {
  const { clock, journal, left } = await start();
  await journal.create("s", described);
  const describe = journal.describe.bind(journal);
  journal.describe = async (session) => {
    await journal.change(session, { title: "Used again" });
    return await describe(session);
  };
  await clock.pass(10 * day + 6 * hour);
  expect(await left()).toEqual(["s"]);
  expect(await journal.claim("s", "keeper", 1000)).toMatchObject({ keeper: "keeper" });
});

test("hundreds of them are found over all pages of the list; a failure is reported, and tried again", async () => {
  const told: unknown[] = [];
  const { clock, journal, left, unused } = await start({ onFailure: (error) => told.push(error) });
  for (let index = 0; index < 230; index++) await journal.create(`s${index}`, described);
  const list = journal.list.bind(journal);
  journal.list = () => Promise.reject(new Error("away"));
  await clock.pass(10 * day + 6 * hour);
  expect(told.length).toBeGreaterThan(0);
  journal.list = list;
  await clock.pass(6 * hour);
  expect(await left()).toEqual([]);
  unused.close();
});

test("a hub removes what is older than its limit, and nothing without one", async () => {
  for (const keepTime of [day, Infinity]) {
    const clock = testClock();
    const journal = createMemoryJournal({ now: () => clock.now() });
    await journal.create("old", described);
    const { join, hub } = startHub(createTestAgent().agent, { clock, journal, limits: { keepTime } });
    const opening = join().then(({ agent }) => agent.newSession({ cwd }));
    await clock.pass(100);
    const { id } = await opening;
    await clock.pass(2 * day);
    const left = (await hub.list()).sessions.map(({ session }) => session).toSorted();
    expect(left).toEqual(keepTime === day ? [id] : [id, "old"].toSorted());
  }
});
