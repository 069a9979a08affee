import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { compactTexts } from "../../src/journal/compact.ts";
import { decodeEntry, encodeEntry, type Entry, type EntryBody } from "../../src/journal/entry.ts";
import { removeOldest } from "../../src/journal/remove-oldest.ts";
import { SessionFacts } from "../../src/journal/session-facts.ts";

const agent = { version: 1, sessionId: "inner", capabilities: {}, setup: {} } as const;
const opened: EntryBody = { t: "keeper", keeper: "k", agent };
const update = (one: object): EntryBody => ({ t: "update", v: 1, update: one });
const say = (text: string): EntryBody =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
const mode = (currentModeId: string): EntryBody => update({ sessionUpdate: "current_mode_update", currentModeId });
const turn = (key: string, ...middle: readonly EntryBody[]): readonly EntryBody[] => [
  { t: "message", key, v: 1, prompt: [{ type: "text", text: key }] },
  { t: "state", key, state: { state: "running" } },
  ...middle,
  { t: "state", key, state: { state: "idle", response: { stopReason: "end_turn" } } },
];

function compacted(bodies: readonly EntryBody[], from = 1): readonly string[] {
  return compactTexts(bodies.map((body, index) => encodeEntry({ ...body, n: from + index, epoch: 3, at: index })));
}

const entriesOf = (texts: readonly string[]): readonly Entry[] => texts.flatMap((text) => decodeEntry(text) ?? []);
const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);
const removedKeys = (texts: readonly string[]): unknown =>
  entriesOf(texts).flatMap((entry) => (entry.t === "notice" ? [entry.removed] : []));

function factsOf(texts: readonly string[]): SessionFacts {
  const facts = new SessionFacts();
  for (const entry of entriesOf(texts)) facts.apply(entry);
  return facts;
}

describe("the oldest turns", () => {
  const texts = compacted([opened, mode("ask"), ...turn("a", say("one")), ...turn("b", say("two")), ...turn("c")]);

  test("stay while there is room", () => {
    expect(removeOldest(texts, lengthOf(texts))).toEqual(texts);
    expect(removeOldest([], 0)).toEqual([]);
  });

  test("become one notice behind which the next turn begins, and the session stays as it is", () => {
    const left = removeOldest(texts, lengthOf(texts) - 1);
    expect(entriesOf(left).map(({ t }) => t)).toEqual([
      "keeper",
      "update",
      "notice",
      "message",
      "update",
      "state",
      "message",
      "state",
    ]);
    expect(entriesOf(left)[2]).toMatchObject({ text: "Earlier history was removed", removed: ["a"] });
    const [before, after] = [factsOf(texts), factsOf(left)];
    expect(after.agent).toEqual(before.agent);
    expect(after.cursor).toEqual(before.cursor);
    expect(after.endings.get("b")).toEqual(before.endings.get("b"));
    expect(after.endings.get("a")).toMatchObject({
      error: { message: expect.stringContaining("ran before") as string },
    });
  });

  test("are all removed if each is too large, but for what opens the session", () => {
    const left = removeOldest(texts, -1);
    expect(entriesOf(left).map(({ t }) => t)).toEqual(["keeper", "update", "notice"]);
    expect(removedKeys(left)).toEqual([["a", "b", "c"]]);
    // Again, there is nothing more to remove.
    expect(removeOldest(left, -1)).toEqual(left);
  });

  test("that are removed later leave one notice, with the keys of all", () => {
    const left = removeOldest(texts, lengthOf(texts) - 1);
    const grown = compactTexts([...left, ...compacted([...turn("d", say("four"))], 40)]);
    const again = removeOldest(grown, lengthOf(grown) - 1);
    expect(removedKeys(again)).toEqual([["a", "b"]]);
    expect(entriesOf(again).map(({ n }) => n)).toEqual(
      entriesOf(again)
        .map(({ n }) => n)
        .toSorted((a, b) => a - b),
    );
  });

  test("keep the keys of the last thousand prompts, and no more", () => {
    const many = compacted(Array.from({ length: 1500 }, (_, index) => turn(`p${index}`)).flat());
    expect(removedKeys(removeOldest(many, 0))).toEqual([Array.from({ length: 1000 }, (_, index) => `p${index + 500}`)]);
  });

  test("keep a question that is open, what ended the agent, and what a later version has written", () => {
    const ask: EntryBody = { t: "ask", id: "q", v: 1, method: "elicitation/create", params: {} };
    const closed: EntryBody = { t: "ask", id: "r", v: 1, method: "elicitation/create", params: {} };
    const old = [
      { t: "ended" },
      opened,
      closed,
      ask,
      { t: "answered", id: "r", outcome: { type: "cancelled" } },
    ] as const;
    const other = '{"n":9,"epoch":0,"t":"later"}';
    const all = [...compacted([...old, ...turn("a"), { t: "ended" }]), '{"n":90,"epoch":0,"t":"later"}'];
    const left = removeOldest(all, -1);
    expect(left.at(-1)).toBe(other.replace("9", "90"));
    expect(entriesOf(left).map(({ t }) => t)).toEqual(["keeper", "ask", "notice", "ended"]);
    expect(factsOf(left)).toMatchObject({ isLive: false, asks: new Map([["q", expect.anything() as unknown]]) });
  });

  test("leave numbers that rise, at most what there was, and what lists and openings show, whatever was said", () => {
    const body = fc.oneof(
      fc.constantFrom("x", "yy").map(say),
      fc.constantFrom("m", "n").map(mode),
      fc.constant<EntryBody>({ t: "ended" }),
      fc.constant(opened),
      fc.constant(update({ sessionUpdate: "session_info_update", title: "T" })),
    );
    const turns = fc.array(fc.array(body, { maxLength: 5 }), { maxLength: 6 });
    fc.assert(
      fc.property(turns, fc.nat(2000), (all, units) => {
        const before = compacted([opened, ...all.flatMap((middle, index) => turn(`p${index}`, ...middle))]);
        const after = removeOldest(before, units);
        const numbers = entriesOf(after).map(({ n }) => n);
        expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
        for (const text of after) if (decodeEntry(text)?.t !== "notice") expect(before).toContain(text);
        const [was, is] = [factsOf(before), factsOf(after)];
        expect([is.agent, is.title, is.isLive]).toEqual([was.agent, was.title, was.isLive]);
        expect([...is.endings.keys()].toSorted()).toEqual([...was.endings.keys()].toSorted());
      }),
    );
  });
});
