import { settled, testClock, type TestClock } from "@acp/testing";
import { beforeEach, describe, expect, test } from "vitest";

import { Attachment, type AttachedClient } from "../../src/front/attachment.ts";
import { Feed } from "../../src/front/feed.ts";
import { encodeEntry, type Entry, type EntryBody } from "../../src/journal/entry.ts";
import type { Claim, Journal } from "../../src/journal/journal.ts";
import { createMemoryJournal } from "../../src/journal/memory-journal.ts";
import { changed } from "../support/changed-journal.ts";

let clock: TestClock;
let journal: Journal;
let claim: Claim;
let next: number;

beforeEach(async () => {
  clock = testClock();
  journal = createMemoryJournal({ now: () => clock.now() });
  await journal.create("s", { agent: "test", cwd: "/" });
  claim = (await journal.claim("s", "k", 1e9)) as Claim;
  next = 1;
});

async function append(...bodies: readonly EntryBody[]): Promise<void> {
  const from = next;
  const texts = bodies.map((body, index) => encodeEntry({ ...body, n: from + index, epoch: claim.epoch, at: 0 }));
  next += texts.length;
  expect(await journal.append([{ claim, from, entries: texts }])).toEqual(["done"]);
}

const notices = (...texts: readonly string[]): readonly EntryBody[] => texts.map((text) => ({ t: "notice", text }));
const ask = (id: string): EntryBody => ({ t: "ask", id, v: 1, method: "m", params: {} });
const answered = (id: string): EntryBody => ({ t: "answered", id, outcome: { type: "cancelled" } });
/** An entry of a kind that a later version has added. */
const unknown = { t: "later" } as unknown as EntryBody;

/** A client, and the story of what it got. */
function clientOf(more: Partial<Pick<AttachedClient, "show">> = {}): AttachedClient & { readonly story: string[] } {
  const story: string[] = [];
  return {
    story,
    version: 1,
    show: (entry: Entry) => {
      story.push(entry.t === "notice" ? entry.text : entry.t);
      return Promise.resolve();
    },
    ask: ({ id }, signal) => {
      story.push(`asked ${id}`);
      signal.addEventListener("abort", () => story.push(`withdrawn ${id}`));
      return Promise.resolve();
    },
    follow: () => {},
    lost: (reason) => story.push(`lost: ${reason}`),
    ...more,
  };
}

const signal = new AbortController().signal;

describe("a feed", () => {
  test("tells a place by its epoch, so that another entry of this number is not mistaken for it", async () => {
    await append(...notices("a", "b"));
    const feed = await Feed.open(journal, "s", clock);
    expect(await feed.after({ epoch: 1, n: 1 })).toMatchObject([{ text: "b" }]);
    expect(await feed.after({ epoch: 1, n: 2 })).toEqual([]);
    expect(await feed.after({ epoch: 7, n: 1 })).toBe("gone");
    expect(await feed.after({ epoch: 7, n: 2 })).toBe("gone");
    expect(await feed.after({ epoch: 1, n: 3 })).toBe("gone");
  });

  test("goes on behind entries that only a later version knows", async () => {
    await append(unknown, ...notices("a"), unknown, unknown);
    const pages: number[] = [];
    const slow: Journal = changed(journal, {
      // One entry at a time.
      read: (session: string, after: Parameters<Journal["read"]>[1]) => {
        pages.push(1);
        return journal.read(session, after, 1);
      },
    });
    const feed = await Feed.open(slow, "s", clock);
    expect(pages).toHaveLength(4);
    expect(await feed.after({ epoch: 1, n: 1 })).toMatchObject([{ text: "a" }]);
    await append(...notices("b"));
    await feed.read();
    expect(await feed.after({ epoch: 1, n: 2 })).toMatchObject([{ text: "b" }]);
  });

  test("knows of all that it gives to a reader who is further behind than what it keeps", async () => {
    const texts = Array.from({ length: 4200 }, (_, index) => `${index}`);
    await append(...notices(...texts));
    const feed = await Feed.open(journal, "s", clock);
    await append(ask("q"));
    const entries = await feed.after({ epoch: 1, n: 10 });
    expect(entries).toHaveLength(4191);
    expect([...feed.facts.asks.keys()]).toEqual(["q"]);
  });

  test("that has lost its place says so to those who wait", async () => {
    await append(...notices("a"));
    const feed = await Feed.open(journal, "s", clock);
    const refused = expect(feed.until(() => undefined)).rejects.toThrow("deleted");
    await journal.remove("s");
    await clock.pass(2000);
    await refused;
    expect(feed.lost).toBe("deleted");
  });
});

describe("a client on a session", () => {
  test("that has seen more at another front is not asked what is over", async () => {
    await append(...notices("a"), ask("q"));
    const stale = await Feed.open(journal, "s", clock);
    await append(answered("q"), ...notices("b"));
    const client = clientOf();
    const attachment = new Attachment(stale, client, { epoch: 1, n: 4 }, signal);
    await attachment.replay();
    void attachment.follow();
    await append(ask("p"));
    await clock.pass(2000);
    expect(client.story).toEqual(["asked p"]);
  });

  test("goes on after the journal could not be read, with nothing left out", async () => {
    await append(...notices(...Array.from({ length: 5000 }, (_, index) => `${index}`)));
    let isDown = false;
    const shaky: Journal = changed(journal, {
      read: (...args: Parameters<Journal["read"]>) =>
        isDown ? Promise.reject(new Error("down")) : journal.read(...args),
    });
    const feed = await Feed.open(shaky, "s", clock);
    const client = clientOf();
    isDown = true;
    void new Attachment(feed, client, { epoch: 1, n: 1 }, signal).follow();
    await clock.pass(10_000);
    expect(client.story).toEqual([]);
    isDown = false;
    await clock.pass(1000);
    expect(client.story).toEqual(Array.from({ length: 4999 }, (_, index) => `${index + 1}`));
  });

  test("does without what it cannot be shown", async () => {
    await append(...notices("a", "bad", "b"));
    const feed = await Feed.open(journal, "s", clock);
    const shown: string[] = [];
    const client = clientOf({
      show: (entry) => {
        const { text } = entry as { text: string };
        if (text === "bad") return Promise.reject(new Error("It breaks a rule"));
        shown.push(text);
        return Promise.resolve();
      },
    });
    void new Attachment(feed, client, undefined, signal).follow();
    await settled();
    expect(shown).toEqual(["a", "b"]);
  });

  test("that comes to a feed whose own place is gone learns that, and is not asked what that feed knows", async () => {
    await append(...notices("a"), ask("q"));
    const feed = await Feed.open(journal, "s", clock);
    await append(answered("q"), ...notices("b", "c", "d"));
    const compacted = [encodeEntry({ t: "notice", text: "short", n: 4, epoch: 0, at: 0 })];
    expect(await journal.compact(claim, 5, compacted)).toBe("done");
    const client = clientOf();
    const attachment = new Attachment(feed, client, { epoch: 1, n: 6 }, signal);
    await attachment.replay();
    void attachment.follow();
    await clock.pass(5000);
    expect(client.story).toEqual(["lost: gone"]);
    expect(attachment.lost).toBe("gone");
  });

  test("whose place is gone learns that, and is not shown what is behind it", async () => {
    await append(...notices("a", "b"));
    const feed = await Feed.open(journal, "s", clock);
    const client = clientOf();
    const attachment = new Attachment(feed, client, { epoch: 3, n: 1 }, signal);
    await attachment.replay();
    expect(client.story).toEqual(["lost: gone"]);
  });
});
