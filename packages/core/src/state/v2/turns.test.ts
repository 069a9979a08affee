import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v2/types";
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../v2/session-event.ts";
import { joinText } from "../shared/content.ts";
import { reduceSession } from "./reduce-session.ts";
import type { SessionState } from "./session-state.ts";
import { block, call, idle, running, said, stateAfter, stateOf, updates } from "./testing/updates.ts";
import { waitingTurns } from "./turns.ts";
import { isCancellable } from "./work.ts";

const start = (turn: number, text = `prompt ${turn}`): SessionEvent => ({
  type: "turn_started",
  turn,
  prompt: [block(text)],
});
const accept = (turn: number): SessionEvent => ({ type: "turn_accepted", turn, messageId: `u${turn}` });
const end = (turn: number): SessionEvent => ({ type: "turn_ended", turn, idle: { stopReason: "end_turn" } });
const fail = (turn: number): SessionEvent => ({ type: "turn_failed", turn, error: "no" });
const cancelled: SessionEvent = { type: "cancelled" };
const closed: SessionEvent = { type: "closed" };
const statuses = ({ turns }: SessionState): string[] => turns.slice().map(({ turn, status }) => `${turn} ${status}`);
const shown = ({ timeline }: SessionState): unknown[] =>
  timeline.slice().map((item) => ("chunks" in item ? joinText(item.chunks) : item.type));
const update = (one: Received.SessionUpdate): SessionEvent => ({ type: "update", update: one });
const statusOf = (state: SessionState, id = "c"): string | undefined => state.timeline.find("tool_call", id)?.status;

describe("a prompt", () => {
  test("waits outside the timeline until the agent accepts it", () => {
    const sent = stateAfter([start(1), update(said("Before."))]);
    expect(shown(sent)).toEqual(["Before."]);
    expect(waitingTurns(sent)).toEqual([{ turn: 1, prompt: [block("prompt 1")], status: "sent" }]);
    const accepted = stateAfter([accept(1)], sent);
    expect(shown(accepted)).toEqual(["Before.", "prompt 1"]);
    expect(waitingTurns(accepted)).toEqual([]);
    expect(accepted.turns.at(0)).toMatchObject({ status: "running", messageId: "u1" });
  });

  test.each([
    ["whole", [{ sessionUpdate: "user_message", messageId: "u1", content: [block("as told")] }]],
    [
      "in chunks",
      [
        { sessionUpdate: "user_message_chunk", messageId: "u1", content: block("as ") },
        { sessionUpdate: "user_message_chunk", messageId: "u1", content: block("told") },
      ],
    ],
    [
      "with an id alone at first",
      [
        { sessionUpdate: "user_message", messageId: "u1" },
        { sessionUpdate: "user_message_chunk", messageId: "u1", content: block("as told") },
      ],
    ],
  ] satisfies [string, Received.SessionUpdate[]][])(
    "is one message when the agent reports it %s, before or after accepting it",
    (_, told) => {
      for (const events of [
        [start(1), accept(1), ...updates(...told)],
        [start(1), ...updates(...told), accept(1)],
      ]) {
        const state = stateAfter(events);
        expect(shown(state)).toEqual(["as told"]);
        expect(state.timeline.at(0)).not.toHaveProperty("unconfirmed");
        expect(state.turns.at(0)?.messageId).toBe("u1");
      }
    },
  );

  test("marks its message as sent until the agent reports it", () => {
    const state = stateAfter([start(1), accept(1)]);
    expect(state.timeline.at(0)).toMatchObject({ messageId: "u1", unconfirmed: true });
  });

  test("that the agent refuses leaves no message, and stops waiting", () => {
    const state = stateAfter([start(1), fail(1)]);
    expect([statuses(state), waitingTurns(state), state.timeline.length]).toEqual([["1 failed"], [], 0]);
  });

  test("ends once, and only after it has started", () => {
    const state = stateAfter([start(1), accept(1), end(1)]);
    expect(state.turns.at(0)).toMatchObject({ status: "ended", messageId: "u1", idle: { stopReason: "end_turn" } });
    for (const event of [end(1), fail(1), end(2), accept(1), accept(2)])
      expect(reduceSession(state, event)).toBe(state);
    const both = stateAfter([start(1), start(2), end(1), fail(1)]);
    expect(statuses(both)).toEqual(["1 ended", "2 sent"]);
  });

  test("is cancelled with all unfinished prompts, including waiting ones", () => {
    const state = stateAfter([start(1), end(1), start(2), accept(2), start(3), cancelled, start(4)]);
    expect(statuses(state)).toEqual(["1 ended", "2 cancelling", "3 cancelling", "4 sent"]);
    expect(waitingTurns(state).map(({ turn }) => turn)).toEqual([3, 4]);
    expect(statuses(stateAfter([accept(3), fail(3), end(2), end(4)], state))).toEqual([
      "1 ended",
      "2 ended",
      "3 failed",
      "4 ended",
    ]);
  });
});

describe("the activity of a session", () => {
  test("is idle at first, then that of the last update", () => {
    expect(stateOf().foreground).toEqual({ state: "idle" });
    expect(stateOf(running).foreground).toEqual({ state: "running" });
    const ended = stateOf(running, {
      sessionUpdate: "state_update",
      state: "idle",
      stopReason: "error",
      error: { code: -32603, message: "no" },
    });
    expect(ended.foreground).toEqual({ state: "idle", stopReason: "error", error: { code: -32603, message: "no" } });
    expect(stateAfter(updates(running), ended).foreground).toEqual({ state: "running" });
  });

  test("does not change when it is reported again", () => {
    for (const one of [running, idle("cancelled")]) {
      const state = stateOf(one);
      expect(stateAfter(updates({ ...one }), state)).toBe(state);
    }
  });

  test("accepts unknown kinds and unknown stop reasons", () => {
    const state = { sessionUpdate: "state_update", state: unknownVariant, received: { state: "_dreaming" } } as const;
    expect(stateOf(state).foreground).toEqual({ state: unknownVariant, received: { state: "_dreaming" } });
    const reason = { stopReason: unknownVariant, received: { stopReason: "_bored" } } as const;
    const ended = stateOf({ sessionUpdate: "state_update", state: "idle", ...reason });
    expect(ended.foreground).toEqual({ state: "idle", ...reason });
  });

  test("lists all background work, or omits it", () => {
    const work: Received.BackgroundWork[] = [
      { type: "terminal", terminalId: "t" },
      { type: unknownVariant, received: { type: "_dream" } },
    ];
    const state = stateOf({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn", background: work });
    expect(state.background).toBe(work);
    expect(
      stateAfter(updates({ sessionUpdate: "state_update", state: "idle", background: [] }), state).background,
    ).toEqual([]);
    expect(stateAfter(updates(running), state).background).toBeUndefined();
  });
});

describe("an unfinished tool call", () => {
  const unfinished = ["pending", "in_progress", "paused", "_own"];

  test.each(unfinished)("with status %s is cancelled with its work", (status) => {
    for (const last of [cancelled, update(idle("cancelled")), update(idle("error"))]) {
      expect(statusOf(stateAfter([...updates(running, call({ status })), last]))).toBe("cancelled");
    }
    expect(statusOf(stateAfter(updates(running, call({ status }), idle())))).toBe(status);
  });

  test("has the status that the agent reports after that", () => {
    const state = stateAfter([...updates(running, call({ status: "in_progress" })), cancelled]);
    expect(statusOf(stateAfter(updates(call({ title: "Read" })), state))).toBe("cancelled");
    expect(statusOf(stateAfter(updates(call({ status: "completed" })), state))).toBe("completed");
  });

  test("continues if it is background work, or belongs to earlier work", () => {
    const background: Received.BackgroundWork[] = [{ type: "tool_call", toolCallId: "c" }];
    const listed = updates(running, call({ status: "in_progress" }), call({ status: "in_progress" }, "d"), {
      sessionUpdate: "state_update",
      state: "running",
      background,
    });
    const state = stateAfter([...listed, cancelled]);
    expect([statusOf(state), statusOf(state, "d")]).toEqual(["in_progress", "cancelled"]);
    const left = stateAfter([...updates(running, call({ status: "in_progress" }), idle(), running), cancelled]);
    expect(statusOf(left)).toBe("in_progress");
    const besides = stateAfter([...updates(running, idle(), call({ status: "in_progress" }), running), cancelled]);
    expect(statusOf(besides)).toBe("in_progress");
  });

  test("of a replay belongs to the work that is reported after it", () => {
    const replay = updates(call({ status: "in_progress" }), running);
    expect(statusOf(stateAfter([...replay, cancelled]))).toBe("cancelled");
    expect(statusOf(stateAfter([...updates(call({ status: "in_progress" })), cancelled]))).toBe("cancelled");
  });

  test("of a replay continues if the end of its work is reported again", () => {
    expect(statusOf(stateOf(call({ status: "in_progress" }), idle("cancelled")))).toBe("in_progress");
  });

  test("is cancelled when the session ends, in the background too", () => {
    const background: Received.BackgroundWork[] = [{ type: "tool_call", toolCallId: "c" }];
    const state = stateOf(running, call({ status: "in_progress" }), {
      sessionUpdate: "state_update",
      state: "running",
      background,
    });
    const ended = stateAfter([closed], state);
    expect(statusOf(ended)).toBe("cancelled");
    expect([ended.foreground, ended.background]).toEqual([{ state: "idle" }, undefined]);
    expect(reduceSession(ended, closed)).toBe(ended);
  });

  test("can be cancelled alone if the agent offers that", () => {
    const find = (state: SessionState) => state.timeline.find("tool_call", "c") ?? expect.fail();
    const state = stateOf(running, call({ capabilities: { cancel: {} } }));
    expect(isCancellable(find(state))).toBe(true);
    expect(isCancellable(find(stateOf(call({ capabilities: {} }))))).toBe(false);
    expect(isCancellable(find(stateAfter(updates(call({ status: "completed" })), state)))).toBe(false);
    expect(isCancellable(find(stateAfter([cancelled], state)))).toBe(false);
  });
});
