import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../src/v1/session-event.ts";
import { joinText } from "../../src/state/shared/content.ts";
import { reduceSession } from "../../src/state/v1/reduce-session.ts";
import { initialState, type SessionState } from "../../src/state/v1/session-state.ts";
import { costOf, countMapWrites, countReads, sizeOf } from "../support/state-cost.ts";
import { chunk, said } from "../../src/state/v1/testing/updates.ts";

const update = (one: Extract<SessionEvent, { type: "update" }>["update"]): SessionEvent => ({
  type: "update",
  update: one,
});

const streams: Readonly<Record<string, (index: number) => SessionEvent>> = {
  "chunks of one message": () => update(said("word ", "m")),
  "chunks without ids": () => update(said("word ")),
  "chunks of two messages in turn": (index) => update(said("word ", `m${index % 2}`)),
  "messages of one chunk each": (index) => update(said("word ", `m${index}`)),
  "a prompt that the agent sends back in pieces": (index) =>
    index === 0
      ? { type: "turn_started", turn: 1, prompt: [{ type: "text", text: "word ".repeat(20_000) }] }
      : update(chunk("user_message_chunk", "word ", "m")),
  "new tool calls": (index) =>
    update({ sessionUpdate: "tool_call", toolCallId: `c${String(index).padStart(6, "0")}`, title: "T" }),
  "changes of a hundred tool calls": (index) =>
    update({ sessionUpdate: "tool_call_update", toolCallId: `c${index % 100}`, rawOutput: index }),
  "new plans": (index) =>
    update({ sessionUpdate: "plan", entries: [{ content: `${index}`, priority: "low", status: "pending" }] }),
  "chunks of a summary": () =>
    update({ sessionUpdate: "compaction_summary_chunk", compactionId: "k", content: { type: "text", text: "word " } }),
  "turns with a call each, which are cancelled": (index) => {
    const turn = Math.floor(index / 4);
    const steps: readonly SessionEvent[] = [
      { type: "turn_started", turn, prompt: [{ type: "text", text: "go" }] },
      update({ sessionUpdate: "tool_call", toolCallId: `c${turn}`, title: "T" }),
      { type: "turn_cancelled", turn },
      { type: "turn_ended", turn, response: { stopReason: "cancelled" } },
    ];
    return steps[index % 4] ?? expect.fail();
  },
};

describe("ten times the events take ten times the work, with every state kept:", () => {
  test.each(Object.entries(streams))("%s", (_, eventAt) => {
    const few = costOf(eventAt, 2000, initialState(), reduceSession);
    const many = costOf(eventAt, 20_000, initialState(), reduceSession);
    // A tree of 32 gets one level more on the way, one of two gets three; copying all would be a hundred times.
    expect(many / few).toBeLessThan(16);
    expect(many / few).toBeGreaterThan(5);
  });
});

test("100,000 chunks are read once each, with states kept, and joined once per list", () => {
  let reads = 0;
  const count = 100_000;
  const content = {
    type: "text" as const,
    get text() {
      reads++;
      return "x";
    },
  };
  let state: SessionState = initialState();
  const event = update({ sessionUpdate: "agent_message_chunk", content });
  for (let index = 0; index < count; index++) state = reduceSession(state, event);
  expect(reads).toBe(0);
  const message = state.timeline.at(0);
  const chunks = message?.type === "agent_message" ? message.chunks : expect.fail();
  expect(joinText(chunks)).toHaveLength(count);
  expect(joinText(chunks)).toHaveLength(count);
  expect(reads).toBe(count);
});

test("finds concurrent turns without a search, in any order of their ends", () => {
  const numbers = Array.from({ length: 1000 }, (_, index) => index);
  let reads = 0;
  let open: SessionState = initialState();
  const writes = countMapWrites(() => {
    open = { ...open, turns: countReads(open.turns, (count) => (reads += count)) };
    for (const turn of numbers) open = reduceSession(open, { type: "turn_started", turn, prompt: [] });
    for (const order of [numbers, numbers.toReversed()]) {
      let state = open;
      for (const turn of order) {
        state = reduceSession(state, { type: "turn_ended", turn, response: { stopReason: "end_turn" } });
      }
      expect(state.runningTurn).toBeUndefined();
    }
  });
  expect(reads).toBeGreaterThan(2 * numbers.length);
  expect(reads).toBeLessThan(10 * numbers.length);
  expect(writes).toBeLessThan(10 * numbers.length);
});

test.each<[string, (index: number) => SessionEvent]>([
  ["of one message", () => update(said("word ", "m"))],
  ["of a message each", (index) => update(said("word ", `m${index}`))],
])(
  "two states that grow from one state cost no more than one, as a UI may run its reducer twice: chunks %s",
  (...[, eventAt]) => {
    const sizes = [2000, 20_000].map((count) => {
      const known = new Set<object>();
      const events = Array.from({ length: count }, (_, index) => eventAt(index));
      sizeOf(events, known);
      let state: SessionState = initialState();
      let size = 0;
      const writes = countMapWrites(() => {
        for (const event of events) {
          const other = reduceSession(state, event);
          state = reduceSession(state, event);
          size += sizeOf([other, state], known);
        }
      });
      return size + writes;
    });
    expect((sizes[1] ?? 0) / (sizes[0] ?? 1)).toBeLessThan(16);
  },
);
