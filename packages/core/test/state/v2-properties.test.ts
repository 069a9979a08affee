import { decode, unknownVariant } from "@acp/schema";
import { decodeSessionUpdate, type Received } from "@acp/schema/v2";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createUpdateEvent } from "../../src/session/client/updates/update-event.ts";
import type { SessionEvent } from "../../src/v2/session-event.ts";
import { reduceSession } from "../../src/state/v2/reduce-session.ts";
import { initialState, type SessionState } from "../../src/state/v2/session-state.ts";
import { anyUpdate, blocks, ids, text } from "../support/any-v2-update.ts";
import { stateAfter } from "../../src/state/v2/testing/updates.ts";

/** An update as a client reads it. */
function read(sent: object): Received.SessionUpdate {
  const decoded = decode(decodeSessionUpdate, sent);
  if (!decoded.ok) throw new Error(decoded.reason);
  return decoded.value;
}

const hologram = text.map((value) => ({ type: "hologram", value }));
const unknownUpdate: fc.Arbitrary<Received.SessionUpdate> = fc.oneof(
  fc.record({ sessionUpdate: fc.constant("notice"), severity: text, title: text, description: fc.option(text) }),
  fc.record({ sessionUpdate: fc.constant(unknownVariant), received: fc.dictionary(ids, fc.nat()) }),
  fc.record({
    sessionUpdate: fc.constant("state_update"),
    state: fc.constant(unknownVariant),
    received: fc.dictionary(ids, fc.nat()),
  }),
  fc.dictionary(ids, fc.nat()).map((more) => read({ sessionUpdate: "_acme/mood", ...more })),
  text.map((since) => read({ sessionUpdate: "state_update", state: "_dreaming", since })),
  hologram.map((work) =>
    read({ sessionUpdate: "state_update", state: "idle", stopReason: "_bored", background: [work] }),
  ),
  fc
    .record({ messageId: ids, content: fc.array(fc.oneof(hologram, blocks), { maxLength: 2 }) })
    .map((message) => read({ sessionUpdate: "agent_message", ...message })),
  fc
    .record({ messageId: ids, content: hologram })
    .map((chunk) => read({ sessionUpdate: "agent_message_chunk", ...chunk })),
  fc
    .record({ toolCallId: ids, content: fc.array(hologram, { maxLength: 2 }) })
    .map((call) => read({ sessionUpdate: "tool_call_update", title: "A", ...call })),
  ids.map((planId) => read({ sessionUpdate: "plan_update", plan: { type: "_gantt", planId } })),
  fc.record({
    sessionUpdate: fc.constant("plan_update"),
    plan: fc.record({ type: fc.constant(unknownVariant), received: fc.record({ planId: ids }) }),
  }),
);
const update = fc.oneof({ weight: 8, arbitrary: anyUpdate }, unknownUpdate);

const turn = fc.integer({ min: 1, max: 3 });
const anyEvent: fc.Arbitrary<SessionEvent> = fc.oneof(
  { weight: 12, arbitrary: update.map(createUpdateEvent) },
  fc.record({ type: fc.constant("turn_started"), turn, prompt: fc.array(blocks, { maxLength: 2 }) }),
  fc.record({ type: fc.constant("turn_accepted"), turn, messageId: ids }),
  fc.constant({ type: "cancelled" }),
  fc.record({
    type: fc.constant("turn_ended"),
    turn,
    idle: fc.record({ stopReason: fc.constantFrom("end_turn", "cancelled") }),
  }),
  fc.record({ type: fc.constant("turn_failed"), turn, error: text }),
  fc.record({ type: fc.constant("permission_requested"), toolCall: fc.record({ toolCallId: ids, title: text }) }),
  fc.constant({ type: "opened", commands: [], configOptions: [] }),
  fc.constant({ type: "closed" }),
);
const history = fc.array(anyEvent, { maxLength: 120 });

describe("a state", () => {
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

  test("counts a withdrawn unknown content as the agent sent it", () => {
    // Without its method toJSON, as in a clone.
    const block = { type: "unknown variant", received: { type: "hologram", value: "" } };
    const call = { sessionUpdate: "tool_call_update", toolCallId: "c", title: "A" };
    const events = [[block], []].map((content) => ({ type: "update", update: { ...call, content } }) as SessionEvent);
    const sent = [[block.received], []].map(
      (content) => ({ type: "update", update: { ...call, content } }) as SessionEvent,
    );
    const sizes = [events, structuredClone(events), sent].map((each) => {
      const item = stateAfter(each).timeline.at(0);
      return item?.type === "tool_call" ? item.earlier?.size : undefined;
    });
    expect(sizes).toEqual([30, 30, 30]);
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
      fc.property(history, anyUpdate, (events, one) => {
        fc.pre(one.sessionUpdate !== "state_update");
        const before = stateAfter(events);
        const after = reduceSession(before, { type: "update", update: one });
        const changed = (name: "timeline" | "terminals"): number =>
          after[name].slice().filter((item, index) => item !== before[name].at(index)).length;
        expect(changed("timeline") + changed("terminals")).toBeLessThanOrEqual(1);
        expect(after.timeline.length).toBeGreaterThanOrEqual(before.timeline.length);
      }),
    );
  });

  test("finds every item by kind and id at its position", () => {
    fc.assert(
      fc.property(history, (events) => {
        const { timeline, terminals, plan } = stateAfter(events);
        for (const item of timeline) {
          if (item.type === "tool_call") expect(timeline.find(item.type, item.toolCallId)).toBe(item);
          if (item.type === "compaction") expect(timeline.find(item.type, item.compactionId)).toBe(item);
          if (item.type === "plan") expect(timeline.find(item.type, item.planId)).toBe(item);
          if ("messageId" in item) expect(timeline.find(item.type, item.messageId)).toBe(item);
        }
        for (const item of terminals) expect(terminals.find(item.type, item.terminalId)).toBe(item);
        const plans = timeline.slice().filter(({ type }) => type === "plan");
        expect(plan).toBe(plans.at(-1));
      }),
    );
  });
});
