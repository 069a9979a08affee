import { decode, unknownVariant } from "@acp/schema";
import { decodeSessionUpdate, type Received } from "@acp/schema/v1";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createUpdateEvent } from "../../src/session/client/updates/update-event.ts";
import type { SessionEvent } from "../../src/v1/session-event.ts";
import { joinBlocks, joinText } from "../../src/state/shared/content.ts";
import { reduceSession } from "../../src/state/v1/reduce-session.ts";
import { initialState, type SessionState } from "../../src/state/v1/session-state.ts";
import { stateAfter, updates } from "../../src/state/v1/testing/updates.ts";

const ids = fc.constantFrom("a", "b", "__proto__", "");
const text = fc.string({ maxLength: 5 });
const blocks: fc.Arbitrary<Received.ContentBlock> = fc.oneof(
  { weight: 4, arbitrary: text.map((value) => ({ type: "text" as const, text: value })) },
  text.map((value) => ({ type: "text" as const, text: value, annotations: { priority: 1 } })),
  fc.constant({ type: "image" as const, data: "", mimeType: "image/png" }),
);
const status = fc.constantFrom("pending", "in_progress", "completed", "failed", null, undefined);
const meta = fc.option(fc.dictionary(ids, fc.nat()), { nil: undefined });

/** An update as a client reads it. */
function read(sent: object): Received.SessionUpdate {
  const decoded = decode(decodeSessionUpdate, sent);
  if (!decoded.ok) throw new Error(decoded.reason);
  return decoded.value;
}

/** Updates that meet again and again: few ids, all kinds. */
const anyUpdate: fc.Arbitrary<Received.SessionUpdate> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      sessionUpdate: fc.constantFrom("user_message_chunk", "agent_message_chunk", "agent_thought_chunk"),
      content: blocks,
      messageId: fc.option(ids, { freq: 2 }),
      _meta: meta,
    }),
  },
  fc.record({
    sessionUpdate: fc.constant("tool_call"),
    toolCallId: ids,
    title: text,
    status: status.map((one) => one ?? undefined),
  }),
  {
    weight: 2,
    arbitrary: fc.record({
      sessionUpdate: fc.constant("tool_call_update"),
      toolCallId: ids,
      status,
      title: fc.option(text),
      rawOutput: fc.jsonValue({ maxDepth: 1 }),
      _meta: meta,
    }),
  },
  fc.record({
    sessionUpdate: fc.constant("plan"),
    entries: fc.array(
      fc.record({ content: text, priority: fc.constant("low" as const), status: fc.constant("pending" as const) }),
      { maxLength: 2 },
    ),
  }),
  fc.record({ sessionUpdate: fc.constant("session_info_update"), title: fc.option(text), _meta: meta }),
  fc.record({ sessionUpdate: fc.constant("notice"), severity: text, title: text, description: fc.option(text) }),
  fc.record({
    sessionUpdate: fc.constant("compaction_update"),
    compactionId: ids,
    status: text,
    summary: fc.option(fc.array(blocks, { maxLength: 2 })),
    error: fc.option(text, { nil: undefined }),
  }),
  fc.record({ sessionUpdate: fc.constant("compaction_summary_chunk"), compactionId: ids, content: blocks }),
  fc.record({ sessionUpdate: fc.constant("current_mode_update"), currentModeId: ids }),
  fc.record({ sessionUpdate: fc.constant(unknownVariant), received: fc.dictionary(ids, fc.nat()) }),
  fc.dictionary(ids, fc.nat()).map((more) => read({ sessionUpdate: "_acme/mood", ...more })),
  text.map((value) => read({ sessionUpdate: "agent_message_chunk", content: { type: "hologram", value } })),
  fc.record({ sessionUpdate: fc.constant("usage_update"), used: fc.nat(), size: fc.nat() }),
);

const turn = fc.integer({ min: 1, max: 3 });
const anyEvent: fc.Arbitrary<SessionEvent> = fc.oneof(
  { weight: 12, arbitrary: anyUpdate.map(createUpdateEvent) },
  fc.record({ type: fc.constant("turn_started"), turn, prompt: fc.array(blocks, { maxLength: 2 }) }),
  fc.record({ type: fc.constant("turn_cancelled"), turn }),
  fc.record({
    type: fc.constant("turn_ended"),
    turn,
    response: fc.record({ stopReason: fc.constantFrom("end_turn", "cancelled", "refusal") }),
  }),
  fc.record({ type: fc.constant("turn_failed"), turn, error: text }),
  fc.record({ type: fc.constant("permission_requested"), toolCall: fc.record({ toolCallId: ids, title: text }) }),
  fc.constant({ type: "opened", modes: undefined, configOptions: [] }),
  fc.record({ type: fc.constant("mode_set"), modeId: ids }),
  fc.constant({ type: "closed" }),
);
const history = fc.array(anyEvent, { maxLength: 120 });

describe("a state", () => {
  test("is the same however a text is split into chunks", () => {
    const cuts = fc.array(fc.nat(200), { maxLength: 20 });
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), cuts, fc.option(ids), (whole, at, messageId) => {
        const ends = [...new Set([0, ...at.filter((end) => end < whole.length), whole.length])].toSorted(
          (a, b) => a - b,
        );
        const pieces = ends.slice(1).map((end, index) => whole.slice(ends[index], end));
        const chunks = pieces.map((piece) => ({
          sessionUpdate: "agent_message_chunk" as const,
          content: { type: "text" as const, text: piece },
          messageId,
        }));
        const item = stateAfter(updates<Received.SessionUpdate>(...chunks)).timeline.at(0);
        const joined = item?.type === "agent_message" ? joinText(item.chunks) : "";
        expect(joined).toBe(whole);
        if (item?.type === "agent_message") expect(joinBlocks(item.chunks)).toEqual([{ type: "text", text: whole }]);
      }),
    );
  });

  test("is equal when its events are reduced again, even cloned or from JSON", () => {
    fc.assert(
      fc.property(history, (events) => {
        const state = stateAfter(events);
        expect(stateAfter(events)).toEqual(state);
        expect(stateAfter(structuredClone(events))).toEqual(state);
        const copy: SessionEvent[] = JSON.parse(JSON.stringify(events));
        expect(JSON.stringify(stateAfter(copy))).toBe(JSON.stringify(state));
      }),
    );
  });

  test("never changes after later events, and does not change events", () => {
    fc.assert(
      fc.property(history, (events) => {
        const told = JSON.stringify(events);
        const states: [SessionState, string][] = [];
        let state: SessionState = initialState();
        for (const event of events) {
          states.push([state, JSON.stringify(state)]);
          state = reduceSession(state, event);
        }
        for (const [one, before] of states) expect(JSON.stringify(one)).toBe(before);
        expect(JSON.stringify(events)).toBe(told);
      }),
      { numRuns: 60 },
    );
  });

  test("replaces only the items that the event changes", () => {
    fc.assert(
      fc.property(history, anyUpdate, (events, update) => {
        const before = stateAfter(events);
        const after = reduceSession(before, { type: "update", update });
        const changed = after.timeline.slice().filter((item, index) => item !== before.timeline.at(index));
        expect(changed.length).toBeLessThanOrEqual(1);
        expect(after.timeline.length).toBeGreaterThanOrEqual(before.timeline.length);
      }),
    );
  });

  test("finds every item by kind and id at its position", () => {
    fc.assert(
      fc.property(history, (events) => {
        const { timeline } = stateAfter(events);
        for (const item of timeline) {
          if (item.type === "tool_call") expect(timeline.find(item.type, item.toolCallId)).toBe(item);
          if (item.type === "compaction") expect(timeline.find(item.type, item.compactionId)).toBe(item);
          if ("messageId" in item) expect(timeline.find(item.type, item.messageId ?? "")).toBe(item);
        }
      }),
    );
  });
});
