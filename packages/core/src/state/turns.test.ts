import type { Received, StopReason } from "@acp/schema/v1";
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../v1/session-event.ts";
import type { SessionState } from "./session-state.ts";
import { joinText } from "./content.ts";
import { chunk, said, stateAfter, updates } from "./testing/updates.ts";

const started = (turn: number, ...texts: readonly string[]): SessionEvent => ({
  type: "turn_started",
  turn,
  prompt: texts.map((text) => ({ type: "text", text })),
});
const cancelled = (turn: number): SessionEvent => ({ type: "turn_cancelled", turn });
const ended = (turn: number, stopReason: StopReason = "end_turn"): SessionEvent => ({
  type: "turn_ended",
  turn,
  response: { stopReason },
});
const call = (toolCallId: string, status?: Received.ToolCallStatus): SessionEvent => ({
  type: "update",
  update: { sessionUpdate: "tool_call_update", toolCallId, status },
});

/** The states of the tool calls, by id. */
function calls({ timeline }: SessionState): Record<string, string> {
  const known = timeline.slice().filter((item) => item.type === "tool_call");
  return Object.fromEntries(known.map(({ toolCallId, status }) => [toolCallId, status]));
}

describe("cancelling a turn", () => {
  const running = [started(1, "go"), call("a", "in_progress"), call("b", "completed"), call("c"), call("d", "failed")];

  test("CANC-02 marks the unfinished tool calls of the turn as cancelled at once, and no others", () => {
    const earlier = [started(0, "before"), call("old", "in_progress"), ended(0)];
    const before = stateAfter([...earlier, ...running]);
    expect(calls(before)).toMatchObject({ a: "in_progress", c: "pending" });
    const state = stateAfter([cancelled(1)], before);
    expect(calls(state)).toEqual({ old: "in_progress", a: "cancelled", b: "completed", c: "cancelled", d: "failed" });
    expect(state.turns.at(-1)).toEqual({ turn: 1, start: 2, status: "cancelling" });
    expect(state.timeline.find("tool_call", "b")).toBe(before.timeline.find("tool_call", "b"));
  });

  test("CANC-09 later updates of the calls are accepted, and a real end counts", () => {
    const content = [{ type: "content", content: { type: "text", text: "late" } }] as const;
    const state = stateAfter([
      ...running,
      cancelled(1),
      {
        type: "update",
        update: { sessionUpdate: "tool_call_update", toolCallId: "a", status: "in_progress", content: [...content] },
      },
      call("c", "completed"),
      call("new", "in_progress"),
    ]);
    expect(calls(state)).toMatchObject({ a: "cancelled", c: "completed", new: "cancelled" });
    expect(state.timeline.find("tool_call", "a")?.content).toEqual(content);
    const after = stateAfter([ended(1, "cancelled"), call("a", "failed"), call("next", "pending")], state);
    expect(calls(after)).toMatchObject({ a: "failed", new: "cancelled", next: "pending" });
  });

  test("a turn that the agent ends as cancelled, or that fails, leaves nothing running", () => {
    const failed: SessionEvent = { type: "turn_failed", turn: 1, error: "gone" };
    for (const end of [ended(1, "cancelled"), failed]) {
      const state = stateAfter([...running, end]);
      expect(calls(state)).toMatchObject({ a: "cancelled", c: "cancelled", b: "completed" });
      expect(state.runningTurn).toBeUndefined();
    }
    // Otherwise it is for the agent to say.
    expect(calls(stateAfter([...running, ended(1)]))).toMatchObject({ a: "in_progress", c: "pending" });
  });

  test("says nothing about a turn that is over or unknown, and nothing twice", () => {
    const over = stateAfter([...running, ended(1)]);
    for (const event of [cancelled(1), cancelled(9), ended(1, "cancelled"), ended(9)])
      expect(stateAfter([event], over)).toBe(over);
    const once = stateAfter([...running, cancelled(1)]);
    expect(stateAfter([cancelled(1)], once)).toBe(once);
  });

  test("a second prompt that is refused meanwhile leaves the running turn alone", () => {
    const refused: SessionEvent = { type: "turn_failed", turn: 2, error: "busy" };
    const state = stateAfter([started(1, "go"), started(2, "too"), call("a", "in_progress"), refused]);
    expect(calls(state)).toEqual({ a: "in_progress" });
    expect(state.runningTurn).toBe(0);
    expect(stateAfter([ended(1)], state).runningTurn).toBeUndefined();
    const both = stateAfter([started(1), started(2), ended(1)]);
    expect(both.runningTurn).toBe(1);
  });
});

describe("the prompt", () => {
  const texts = ({ timeline }: SessionState): string[] =>
    timeline.slice().map((item) => ("chunks" in item ? `${item.type} ${joinText(item.chunks)}` : item.type));

  test("is a message of the user, and ends the one before", () => {
    const state = stateAfter([
      started(1, "a", "b"),
      ...updates(said("x")),
      ended(1),
      ...updates(said("y")),
      started(2, "c"),
    ]);
    expect(texts(state)).toEqual(["user_message ab", "agent_message x", "agent_message y", "user_message c"]);
    expect(state.turns.slice().map(({ start }) => start)).toEqual([0, 3]);
  });

  test("counts once if the agent sends it back, with the agent's id", () => {
    const back = [chunk("user_message_chunk", "He", "m"), chunk("user_message_chunk", "llo", "m")];
    const state = stateAfter([started(1, "Hello"), ...updates(...back), ...updates(said("Hi"))]);
    expect(texts(state)).toEqual(["user_message Hello", "agent_message Hi"]);
    expect(state.timeline.find("user_message", "m")).toBe(state.timeline.at(0));
    const other = stateAfter([started(1, "Hello"), ...updates(chunk("user_message_chunk", "Wait"))]);
    expect(texts(other)).toEqual(["user_message Hello", "user_message Wait"]);
    const later = stateAfter([started(1, "Hello"), ...updates(said("Hi"), chunk("user_message_chunk", "Hello"))]);
    expect(texts(later)).toEqual(["user_message Hello", "agent_message Hi", "user_message Hello"]);
  });
});
