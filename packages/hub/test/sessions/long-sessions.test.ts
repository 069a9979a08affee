import { expect, test } from "vitest";

import { compactSession, createMemoryJournal, type EntryBody } from "../../src/index.ts";
import { encodeEntry } from "../../src/journal/entry.ts";
import { readFacts } from "../../src/journal/read-facts.ts";
import { compactEntries } from "../../src/keeper/compact-session.ts";
import { startHub, cwd } from "../support/test-hub.ts";
import { createTestAgent } from "../support/test-agent.ts";

test("turns that have ended are compacted, and who comes later sees the same", async () => {
  const { agent } = createTestAgent();
  const { join, journal } = startHub(agent, { limits: { compactAfter: 5, mergeTime: 0 } });
  const author = await join();
  const session = await author.agent.newSession({ cwd });
  const watcher = await join();
  await watcher.agent.loadSession({ sessionId: session.id, cwd });
  const words = ["the quick brown fox", "jumps over", "the lazy dog", "again"];
  let all = "";
  for (const word of words) {
    await session.prompt(word).response;
    all += `[${word}]${word}`;
    // Whoever is a turn behind has to load the session again.
    await watcher.until(() => watcher.text() === all);
  }

  await expect
    .poll(async () => {
      const page = await journal.read(session.id, "start", 1e9);
      return typeof page === "object" ? page.entries.filter((text) => text.includes('"epoch":0')).length : 0;
    })
    .toBeGreaterThan(0);
  const late = await join();
  await late.agent.loadSession({ sessionId: session.id, cwd });

  expect(late.text()).toBe(all);
  await watcher.until(() => watcher.text() === all);
});

test("how a command ended stays in the history until the journal has forgotten the command", async () => {
  const journal = createMemoryJournal();
  await journal.create("s", { agent: "test", cwd });
  const claim = await journal.claim("s", "k", 60_000);
  if (claim === undefined || "heldBy" in claim) throw new Error("not claimed");
  await journal.send("s", "waits", "{}");
  const bodies: readonly EntryBody[] = [
    { t: "done", key: "waits", result: {} },
    { t: "done", key: "settled", result: {} },
    { t: "message", key: "a", v: 1, prompt: [] },
    { t: "state", key: "a", state: { state: "idle" } },
    { t: "message", key: "b", v: 1, prompt: [] },
  ];
  const entries = bodies.map((body, index) => encodeEntry({ ...body, n: index + 1, epoch: claim.epoch, at: 0 }));
  await journal.append([{ claim, from: 1, entries }]);
  await journal.release(claim);

  await compactSession(journal, "s");
  const ofWhole = await readFacts(journal, "s");
  expect([...ofWhole.endings.keys()]).toEqual(["waits", "a", "b"]);
  const again = await journal.claim("s", "k2", 60_000);
  if (again === undefined || "heldBy" in again) throw new Error("not claimed");
  await compactEntries(journal, again, 10);
  const ofRest = await readFacts(journal, "s");
  expect([...ofRest.endings.keys()].toSorted()).toEqual(["a", "b", "waits"]);
  expect(ofRest.endings.get("waits")).toEqual({ result: {} });
});

test("the oldest turns of a session that is too large are removed, and who comes later sees a notice", async () => {
  const { agent, prompts } = createTestAgent();
  const { hub, join, journal } = startHub(agent, { limits: { mergeTime: 0, historyUnits: 6000 } });
  const author = await join();
  const session = await author.agent.newSession({ cwd });
  await session.prompt("first", { _meta: { "acp-hub": { operationId: "one" } } }).response;
  const sizeNow = async (): Promise<number> => {
    const page = await journal.read(session.id, "start", 1e9);
    return typeof page === "object" ? page.entries.join("").length : 0;
  };
  for (let turn = 0; turn < 30; turn++) {
    await session.prompt(`turn ${turn} ${"x".repeat(100)}`).response;
    await expect.poll(sizeNow).toBeLessThan(6000);
  }
  await author.leave();
  await hub.stop(session.id);

  const late = await join();
  const loaded = await late.agent.loadSession({ sessionId: session.id, cwd });
  expect(JSON.stringify(late.shown).match(/Earlier history was removed/gu)).toHaveLength(1);
  expect(late.text()).not.toContain("first");
  expect(late.text()).toContain(`[turn 29 ${"x".repeat(100)}]`);
  expect(loaded.modes?.currentModeId).toBe("code");
  // The agent opens its session again, and a prompt whose history was removed does not run twice.
  await loaded.prompt("b").response;
  const again = loaded.prompt("first", { _meta: { "acp-hub": { operationId: "one" } } });
  await expect(again.response).rejects.toThrow("ran before");
  expect(prompts.filter((prompt) => prompt === "first")).toHaveLength(1);
});
