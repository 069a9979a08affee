import { settled, testClock, type TestClock } from "@acp/testing";
import { beforeEach, describe, expect, test } from "vitest";

import { createDeferred } from "../deferred.ts";
import { decodeEntry, type Entry, type EntryBody } from "../journal/entry.ts";
import type { Claim, Journal } from "../journal/journal.ts";
import { createMemoryJournal } from "../journal/memory-journal.ts";
import { Outbox } from "./outbox.ts";

const mergeTime = 30;
let clock: TestClock;
let journal: Journal;
let claim: Claim;
/** What every write of the outbox goes through. */
let append: Journal["append"];
let writes: number;
let fenced: number;
let stored: Entry[];

beforeEach(async () => {
  clock = testClock();
  journal = createMemoryJournal({ now: () => clock.now() });
  await journal.create("s", { agent: "test", cwd: "/" });
  claim = (await journal.claim("s", "k", 1000)) as Claim;
  append = (all) => journal.append(all);
  [writes, fenced, stored] = [0, 0, []];
});

function createOutbox(limit = 1000): Outbox {
  return new Outbox({
    journal: {
      ...journal,
      append: (all) => {
        writes += 1;
        return append(all);
      },
    },
    claim,
    clock,
    mergeTime,
    limit,
    onStored: (entry) => stored.push(entry),
    onFenced: () => (fenced += 1),
    onFailure: () => {},
  });
}

function chunk(text: string, messageId = "m"): EntryBody {
  const update = { sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text } };
  return { t: "update", v: 1, update };
}

const notice = (text: string): EntryBody => ({ t: "notice", text });

/** What the journal has: texts of notices and of updates. */
async function texts(): Promise<readonly unknown[]> {
  const page = await journal.read("s", "start", Infinity);
  return (typeof page === "object" ? page.entries : []).map((text) => {
    const entry = decodeEntry(text);
    if (entry?.t === "notice") return entry.text;
    return entry?.t === "update" ? (entry.update as { content: { text: string } }).content.text : undefined;
  });
}

describe("an outbox", () => {
  test("stores what is added in one moment with one write, in order", async () => {
    const outbox = createOutbox();
    await Promise.all([outbox.add(notice("a")), outbox.add(notice("b")), outbox.add(notice("c"))]);
    expect(await texts()).toEqual(["a", "b", "c"]);
    expect(writes).toBe(1);
    expect(stored.map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  test("waits for no more chunks once 32 Ki characters wait, and joins no more than that", async () => {
    const outbox = createOutbox(Infinity);
    await outbox.add(notice("begin"));
    const part = "x".repeat(10_000);
    for (let index = 0; index < 3; index++) void outbox.addUpdate(chunk(part), part.length);
    await settled();
    expect(await texts()).toHaveLength(1);
    for (let index = 0; index < 3; index++) void outbox.addUpdate(chunk(part), part.length);
    await settled();
    // Without the time for it having passed.
    expect((await texts()).slice(1).map((text) => String(text).length)).toEqual([30_000, 30_000]);
  });

  test("joins the chunks of one message that come within the time for it, and no others", async () => {
    const outbox = createOutbox();
    await outbox.add(notice("begin"));
    for (const body of [chunk("a"), chunk("b"), chunk("c", "n"), chunk("d", "n"), chunk("e")])
      void outbox.addUpdate(body, 1);
    await settled();
    expect(await texts()).toEqual(["begin"]);
    await clock.pass(mergeTime);
    expect(await texts()).toEqual(["begin", "ab", "cd", "e"]);
    void outbox.addUpdate(chunk("f"), 1);
    const added = outbox.add(notice("end"));
    void outbox.addUpdate(chunk("g"), 1);
    // Nothing else has to wait for chunks.
    await added;
    expect((await texts()).slice(4)).toEqual(["f", "end", "g"]);
  });

  test("repeats a write that failed, also one that had happened, until it is stored once", async () => {
    const outcomes = ["fails", "answer lost", "fails", "works"];
    append = async (all) => {
      const outcome = outcomes.shift();
      if (outcome === "fails") throw new Error("down");
      const results = await journal.append(all);
      if (outcome === "answer lost") throw new Error("lost");
      return results;
    };
    const outbox = createOutbox();
    const added = outbox.add(notice("a"));
    await settled();
    const later = outbox.add(notice("b"));
    await clock.pass(10_000);
    await Promise.all([added, later]);
    expect(await texts()).toEqual(["a", "b"]);
    expect(outcomes).toEqual([]);
  });

  test("stores nothing any more once another keeper has the session, and says so once", async () => {
    const outbox = createOutbox();
    await clock.pass(1000);
    await journal.claim("s", "other", 1000);
    const added = [outbox.add(notice("a")), outbox.add(notice("b"))];
    for (const one of added) await expect(one).rejects.toThrow("Another keeper has taken the session over");
    await expect(outbox.add(notice("c"))).rejects.toThrow("Another keeper");
    await outbox.settled();
    expect([await texts(), fenced]).toEqual([[], 1]);
  });

  test("lets the agent wait while too much waits or is being written, and no longer", async () => {
    const held = createDeferred<void>();
    append = async (all) => {
      await held.promise;
      return await journal.append(all);
    };
    const outbox = createOutbox(100);
    expect(outbox.addUpdate(chunk("a"), 60)).toBeUndefined();
    await settled();
    // The first one is on its way to the journal, and counts.
    const room = outbox.addUpdate(chunk("b"), 60);
    let hasRoom = false;
    void room?.then(() => (hasRoom = true));
    await clock.pass(1000);
    expect([room !== undefined, hasRoom]).toEqual([true, false]);
    held.resolve();
    await clock.pass(1000);
    expect([await texts(), hasRoom]).toEqual([["a", "b"], true]);
  });

  test("counts what is not an update by its size, too", async () => {
    append = () => new Promise(() => {});
    const outbox = createOutbox(1000);
    void outbox.add(notice("x".repeat(2000)));
    expect(outbox.addUpdate(chunk("a"), 1)).toBeInstanceOf(Promise);
  });

  test("rejects what waits when it is ended, while the journal is down", async () => {
    append = () => Promise.reject(new Error("down"));
    const outbox = createOutbox();
    const first = outbox.add(notice("a"));
    await settled();
    const second = outbox.add(notice("b"));
    outbox.end();
    await expect(first).rejects.toThrow("Another keeper");
    await expect(second).rejects.toThrow("Another keeper");
    await outbox.settled();
    expect(outbox.addUpdate(chunk("c"), 1)).toBeUndefined();
  });
});
