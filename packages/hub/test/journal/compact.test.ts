import { initialState as initialV1, reduceSession as reduceV1, type SessionState } from "@acp/core/state";
import { initialState as initialV2, reduceSession as reduceV2 } from "@acp/core/v2/state";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { compactionEnd, compactTexts } from "../../src/journal/compact.ts";
import { decodeEntry, encodeEntry, type Entry, type EntryBody } from "../../src/journal/entry.ts";
import { SessionFacts } from "../../src/journal/session-facts.ts";
import { id, v1Update, v2Update } from "./random-updates.ts";

/** Entries from a number on. */
function numbered(bodies: readonly EntryBody[], from = 1): readonly string[] {
  return bodies.map((body, index) => encodeEntry({ ...body, n: from + index, epoch: 3, at: from + index }));
}

function decoded(texts: readonly string[]): readonly Entry[] {
  return texts.map((text) => {
    const entry = decodeEntry(text);
    if (entry === undefined) throw new Error(`no entry: ${text}`);
    return entry;
  });
}

/** The body of a compacted entry, without what all have. */
function bodiesOf(texts: readonly string[]): readonly object[] {
  return decoded(texts).map(({ n: _n, at: _at, epoch, ...body }) => {
    expect(epoch).toBe(0);
    return body;
  });
}

const say = (text: string, more: object = {}): EntryBody =>
  update({ sessionUpdate: "agent_message_chunk", ...more, content: { type: "text", text } });
const update = (one: object, v: 1 | 2 = 1): EntryBody => ({ t: "update", v, update: one });
const prompt = (key: string): EntryBody => ({ t: "message", key, v: 1, prompt: [{ type: "text", text: key }] });
const running = (key: string): EntryBody => ({ t: "state", key, state: { state: "running" } });
const idle = (key: string): EntryBody => ({
  t: "state",
  key,
  state: { state: "idle", response: { stopReason: "end_turn" } },
});
const call = (toolCallId: string, more: object): EntryBody =>
  update({ sessionUpdate: "tool_call_update", toolCallId, ...more });

describe("a turn that has ended", () => {
  test("is its messages, its calls as they ended, and its last plan", () => {
    const plan = (content: string): EntryBody =>
      update({ sessionUpdate: "plan", entries: [{ content, priority: "low", status: "pending" }] });
    const texts = numbered([
      prompt("p1"),
      running("p1"),
      say("Hel", { messageId: "a" }),
      plan("one"),
      update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Run", status: "pending" }),
      say("lo", { messageId: "b" }),
      call("c", { status: "in_progress", title: null }),
      say(" all", { messageId: "b" }),
      { t: "ask", id: "q", v: 1, method: "session/request_permission", params: {} },
      { t: "state", key: "p1", state: { state: "requires_action" } },
      { t: "answered", id: "q", outcome: { type: "cancelled" } },
      running("p1"),
      call("c", { status: "completed", content: [] }),
      plan("two"),
      say("!", { messageId: "b" }),
      idle("p1"),
    ]);
    expect(bodiesOf(compactTexts(texts))).toEqual([
      prompt("p1"),
      say("Hel", { messageId: "a" }),
      plan("two"),
      update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Run", status: "completed", content: [] }),
      say("lo all!", { messageId: "b" }),
      idle("p1"),
    ]);
  });

  test("keeps what a keeper needs: keys with their ends, the agent, open questions, what is not known", () => {
    const unknown = '{"n":5,"epoch":3,"at":1,"t":"later","x":[1]}';
    const agent = { version: 1, sessionId: "s", capabilities: {}, setup: {} } as const;
    const texts = [
      ...numbered([
        { t: "keeper", keeper: "k1", agent },
        { t: "ended" },
        { t: "keeper", keeper: "k2", agent },
        { t: "ask", id: "open", v: 1, method: "x", params: {} },
      ]),
      unknown,
      ...numbered([{ t: "done", key: "d" }, { t: "notice", text: "n" }, prompt("p"), idle("p")], 6),
    ];
    const compacted = compactTexts(texts);
    expect(compacted[3]).toBe(unknown.replace('"epoch":3', '"epoch":0'));
    expect(bodiesOf(compacted.toSpliced(3, 1))).toEqual([
      { t: "ended" },
      { t: "keeper", keeper: "k2", agent },
      { t: "ask", id: "open", v: 1, method: "x", params: {} },
      { t: "notice", text: "n" },
      prompt("p"),
      idle("p"),
    ]);
  });

  test("leaves entries alone that a reader has seen compacted", () => {
    const first = compactTexts(
      numbered([
        prompt("p1"),
        say("a"),
        call("c", { status: "pending" }),
        { t: "ask", id: "q", v: 1, method: "x", params: {} },
        update({ sessionUpdate: "current_mode_update", currentModeId: "m1" }),
        say("b"),
        idle("p1"),
      ]),
    );
    const second = compactTexts([
      ...first,
      ...numbered(
        [
          say("c"),
          call("c", { status: "in_progress" }),
          call("c", { status: "completed" }),
          { t: "answered", id: "q", outcome: { type: "cancelled" } },
          update({ sessionUpdate: "current_mode_update", currentModeId: "m2" }),
          idle("p1"),
        ],
        8,
      ),
    ]);
    expect(second).toEqual([
      ...first.filter((text) => !text.includes("m1")),
      ...numbered([say("c"), call("c", { status: "completed" })], 8).map((text) =>
        text.replace('"epoch":3', '"epoch":0'),
      ),
      expect.stringContaining('"answered"'),
      expect.stringContaining("m2"),
      expect.stringContaining("idle"),
    ]);
    expect(compactTexts(second)).toEqual(second);
  });

  test("only what was before the last prompt can be compacted, and no turn that runs", () => {
    const end = (...bodies: readonly EntryBody[]): number => compactionEnd(decoded(numbered(bodies)));
    expect(end()).toBe(0);
    expect(end(prompt("a"), running("a"), say("x"), idle("a"))).toBe(0);
    expect(end(prompt("a"), say("x"), idle("a"), prompt("b"), running("b"))).toBe(3);
    expect(end(prompt("a"), say("x"), idle("a"), say("late"), prompt("b"), idle("b"))).toBe(4);
    expect(end(prompt("a"), running("a"), say("x"), prompt("b"), running("b"))).toBe(0);
  });
});

// The oracle is the state that clients have: what they were shown as it came, or compacted, leads to the same one.

/** What a client has on its screen. Whether a text came in one part or two does not show, nor what a call was called before. */
function shown(v: 1 | 2, texts: readonly string[]): unknown {
  const updates = decoded(texts).flatMap((entry) => (entry.t === "update" ? [entry.update as never] : []));
  const start: SessionState = { ...initialV1(), modes: { currentModeId: "0", availableModes: [] } };
  const state =
    v === 1
      ? updates.reduce((before, one) => reduceV1(before, { type: "update", update: one }), start)
      : updates.reduce((before, one) => reduceV2(before, { type: "update", update: one }), initialV2());
  return normal({ ...state, continuation: undefined });
}

function normal(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Symbol.iterator in value) {
    const items = Array.from(value as Iterable<unknown>, normal);
    return items.reduce<unknown[]>((joined, item) => {
      const last = joined.at(-1);
      if (!isText(item) || !isText(last)) return [...joined, item];
      return [...joined.slice(0, -1), { ...last, text: last.text + item.text }];
    }, []);
  }
  const members = Object.entries(value).filter(([name, one]) => name !== "earlier" && one !== undefined);
  return Object.fromEntries(members.map(([name, one]) => [name, normal(one)]));
}

function isText(value: unknown): value is { readonly type: "text"; readonly text: string } {
  return typeof value === "object" && value !== null && "type" in value && value.type === "text" && "text" in value;
}

describe.each([
  { v: 1 as const, updates: v1Update },
  { v: 2 as const, updates: v2Update },
])("updates of version $v, compacted at any places", ({ v, updates }) => {
  const session = fc.array(
    fc.oneof(
      { weight: 20, arbitrary: updates.map((one) => update(one, v)) },
      { weight: 1, arbitrary: fc.constantFrom(prompt("p"), idle("p")) },
    ),
    { maxLength: 30 },
  );

  test("show the same, also to a reader that goes on in the middle", () => {
    fc.assert(
      fc.property(session, fc.nat(30), fc.nat(30), fc.nat(30), (bodies, a, b, c) => {
        const texts = numbered(bodies);
        const [first, second] = [Math.min(a, b, texts.length), Math.min(Math.max(a, b), texts.length)];
        const once = [...compactTexts(texts.slice(0, first)), ...texts.slice(first)];
        expect(shown(v, once)).toEqual(shown(v, texts));
        const twice = [
          ...compactTexts(once.filter((_, index) => numberOf(once[index]) <= second)),
          ...texts.slice(second),
        ];
        expect(shown(v, twice)).toEqual(shown(v, texts));
        const numbers = twice.map(numberOf);
        expect(numbers).toEqual(numbers.toSorted((x, y) => x - y));
        expect(new Set(numbers).size).toBe(numbers.length);
        // A reader that has come to some compacted entry.
        const seen = once.slice(0, c).filter((one) => one.includes('"epoch":0'));
        const last = seen.at(-1);
        if (last === undefined || !twice.includes(last)) return;
        expect(shown(v, [...seen, ...twice.filter((one) => numberOf(one) > numberOf(last))])).toEqual(shown(v, texts));
      }),
      { numRuns: 1000 },
    );
  });
});

function numberOf(text: string | undefined): number {
  return text === undefined ? 0 : (decodeEntry(text)?.n ?? 0);
}

test("the state of the session is the same", () => {
  const key = fc.constantFrom("p1", "p2", "p3");
  const body = fc.oneof<fc.Arbitrary<EntryBody>[]>(
    key.map(prompt),
    key.map(running),
    key.map(idle),
    key.map((one) => ({ t: "state", key: one, state: { state: "unknown" }, queue: 2 })),
    fc.constant<EntryBody>({ t: "state", state: { state: "idle" }, queue: 0 }),
    id.map((one) => ({ t: "ask", id: one, v: 1, method: "x", params: {} })),
    id.map((one) => ({ t: "answered", id: one, outcome: { type: "cancelled" } })),
    fc.constant<EntryBody>({
      t: "keeper",
      keeper: "k",
      agent: { version: 1, sessionId: "s", capabilities: {}, setup: { modes: { currentModeId: "1" } } },
    }),
    fc.constant<EntryBody>({ t: "ended" }),
    v1Update.map((one) => update(one)),
  );
  fc.assert(
    fc.property(fc.array(body, { maxLength: 25 }), fc.nat(25), (bodies, at) => {
      const texts = numbered(bodies);
      const facts = factsOf(texts);
      expect(factsOf(compactTexts(texts))).toEqual(facts);
      expect(factsOf([...compactTexts(texts.slice(0, at)), ...texts.slice(at)])).toEqual(facts);
    }),
    { numRuns: 1000 },
  );
});

function factsOf(texts: readonly string[]): object {
  const facts = new SessionFacts();
  for (const entry of decoded(texts)) facts.apply(entry);
  const { agent, isLive, state, active, queue, asks, endings, running: calls, title } = facts;
  return { agent, isLive, state, active, queue, asks: [...asks.keys()].toSorted(), endings, calls, title };
}
