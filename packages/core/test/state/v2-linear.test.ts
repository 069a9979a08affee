import type { Received } from "@acp/schema/v2/types";
import { describe, expect, test } from "vitest";
import { costOf } from "../support/state-cost.ts";
import type { SessionEvent } from "../../src/v2/session-event.ts";
import { reduceSession } from "../../src/state/v2/reduce-session.ts";
import { initialState, type SessionState } from "../../src/state/v2/session-state.ts";
import { block, call, idle, running, said } from "../../src/state/v2/testing/updates.ts";
import { waitingTurns } from "../../src/state/v2/turns.ts";

const update = (one: Received.SessionUpdate): SessionEvent => ({ type: "update", update: one });

const streams: Readonly<Record<string, (index: number) => SessionEvent>> = {
  "chunks of one message": () => update(said("word ")),
  "chunks of ten messages in turn": (index) => update(said("word ", `m${index % 10}`)),
  "messages that are told whole": (index) =>
    update({ sessionUpdate: "agent_message", messageId: `m${index}`, content: [block("word")] }),
  "new tool calls": (index) => update(call({ title: "T" }, `c${String(index).padStart(6, "0")}`)),
  "changes of a hundred tool calls": (index) => update(call({ rawOutput: index }, `c${index % 100}`)),
  "content of a hundred tool calls": (index) =>
    update({
      sessionUpdate: "tool_call_content_chunk",
      toolCallId: `c${index % 100}`,
      content: { type: "content", content: block("word") },
    }),
  "output of ten terminals": (index) =>
    update({ sessionUpdate: "terminal_output_chunk", terminalId: `t${index % 10}`, data: "d29yZCA=" }),
  "turns with a call each, which are cancelled": (index) => {
    const turn = Math.floor(index / 7);
    const steps: readonly SessionEvent[] = [
      { type: "turn_started", turn, prompt: [block("go")] },
      { type: "turn_accepted", turn, messageId: `u${turn}` },
      update(running),
      update(call({ title: "T" }, `c${turn}`)),
      { type: "cancelled" },
      update(idle("cancelled")),
      { type: "turn_ended", turn, idle: { stopReason: "cancelled" } },
    ];
    return steps[index % 7] ?? expect.fail();
  },
  "prompts that wait, each until the next one is sent": (index) => {
    const turn = Math.floor(index / 3);
    const steps: readonly SessionEvent[] = [
      { type: "turn_started", turn: turn + 1, prompt: [block("go")] },
      { type: "turn_accepted", turn, messageId: `u${turn}` },
      { type: "turn_ended", turn, idle: { stopReason: "end_turn" } },
    ];
    return steps[index % 3] ?? expect.fail();
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

test("ended turns are not visited to find waiting ones", () => {
  let state: SessionState = initialState();
  for (let turn = 0; turn < 1000; turn++) {
    state = reduceSession(state, { type: "turn_started", turn, prompt: [] });
    if (turn < 999) state = reduceSession(state, { type: "turn_failed", turn, error: undefined });
  }
  expect(state.continuation.firstOpen).toBe(999);
  expect(waitingTurns(state).map(({ turn }) => turn)).toEqual([999]);
});
