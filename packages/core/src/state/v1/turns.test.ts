import type { ContentBlock, Received, StopReason } from "@acp/schema/v1";
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../v1/session-event.ts";
import type { SessionState } from "./session-state.ts";
import { joinText } from "../shared/content.ts";
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

  test("CANC-02 marks only the unfinished tool calls of the turn as cancelled, at once", () => {
    const earlier = [started(0, "before"), call("old", "in_progress"), ended(0)];
    const before = stateAfter([...earlier, ...running]);
    expect(calls(before)).toMatchObject({ a: "in_progress", c: "pending" });
    const state = stateAfter([cancelled(1)], before);
    expect(calls(state)).toEqual({ old: "in_progress", a: "cancelled", b: "completed", c: "cancelled", d: "failed" });
    expect(state.turns.at(-1)).toEqual({ turn: 1, start: 2, status: "cancelling" });
    expect(state.timeline.find("tool_call", "b")).toBe(before.timeline.find("tool_call", "b"));
  });

  test("CANC-09 accepts later updates of these calls, including their final status", () => {
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
    expect(calls(state)).toMatchObject({ a: "in_progress", c: "completed", new: "in_progress" });
    expect(state.timeline.find("tool_call", "a")?.content).toEqual(content);
    const after = stateAfter([ended(1, "cancelled")], state);
    expect(calls(after)).toMatchObject({ a: "cancelled", c: "completed", new: "cancelled" });
    const later = stateAfter([call("a", "failed"), call("new", "pending"), call("next", "pending")], after);
    expect(calls(later)).toMatchObject({ a: "failed", new: "pending", next: "pending" });
    expect(calls(stateAfter([call("a")], after))).toMatchObject({ a: "cancelled" });
  });

  test("keeps calls that the agent starts for the next prompt before it answers this one", () => {
    const state = stateAfter([...running, cancelled(1), started(2, "stop"), call("t", "in_progress")]);
    expect(calls(state)).toMatchObject({ a: "cancelled", t: "in_progress" });
    // It may have told this before it knew of the cancel.
    const late = stateAfter([call("a", "in_progress"), ended(1, "cancelled")], state);
    expect(calls(late)).toMatchObject({ a: "cancelled", t: "in_progress" });
    expect(calls(stateAfter([cancelled(2)], late))).toMatchObject({ t: "cancelled" });
  });

  test("keeps the calls of another prompt that was answered", () => {
    const both = [started(1, "go"), call("a", "in_progress"), started(2, "too"), call("b", "in_progress")];
    const state = stateAfter([...both, ended(2), ended(1, "cancelled")]);
    expect(calls(state)).toEqual({ a: "cancelled", b: "in_progress" });
  });

  test("CANC-02 also marks a call of an earlier turn that this turn has updated", () => {
    const before = [started(1, "go"), call("a", "in_progress"), call("b", "in_progress"), ended(1)];
    const state = stateAfter([...before, started(2, "on"), call("a"), cancelled(2)]);
    expect(calls(state)).toEqual({ a: "cancelled", b: "in_progress" });
  });

  test("marks running calls when the agent ends the turn as cancelled, or the turn fails", () => {
    const failed: SessionEvent = { type: "turn_failed", turn: 1, error: "gone" };
    for (const end of [ended(1, "cancelled"), failed]) {
      const state = stateAfter([...running, end]);
      expect(calls(state)).toMatchObject({ a: "cancelled", c: "cancelled", b: "completed" });
      expect(state.runningTurn).toBeUndefined();
    }
    // Otherwise it is for the agent to say.
    expect(calls(stateAfter([...running, ended(1)]))).toMatchObject({ a: "in_progress", c: "pending" });
  });

  test("ignores an ended or unknown turn, and a second cancel", () => {
    const over = stateAfter([...running, ended(1)]);
    for (const event of [cancelled(1), cancelled(9), ended(1, "cancelled"), ended(9)])
      expect(stateAfter([event], over)).toBe(over);
    const once = stateAfter([...running, cancelled(1)]);
    expect(stateAfter([cancelled(1)], once)).toBe(once);
  });

  test("keeps the running turn when a second prompt is refused meanwhile", () => {
    const refused: SessionEvent = { type: "turn_failed", turn: 2, error: "busy" };
    const state = stateAfter([started(1, "go"), started(2, "too"), call("a", "in_progress"), refused]);
    expect(calls(state)).toEqual({ a: "in_progress" });
    expect(state.runningTurn).toBe(0);
    expect(stateAfter([ended(1)], state).runningTurn).toBeUndefined();
    expect(calls(stateAfter([ended(1, "cancelled")], state))).toEqual({ a: "cancelled" });
    const both = stateAfter([started(1), started(2), ended(1)]);
    expect(both.runningTurn).toBe(1);
  });
});

describe("orphaned calls", () => {
  test("are cancelled when the session ends, with or without a running turn", () => {
    const state = stateAfter([started(1, "go"), call("a", "in_progress"), ended(1), call("b"), call("c", "failed")]);
    const closed = stateAfter([{ type: "closed" }], state);
    expect(calls(closed)).toEqual({ a: "cancelled", b: "cancelled", c: "failed" });
    expect(stateAfter([{ type: "closed" }], closed)).toBe(closed);
  });

  test("are cancelled after a history was loaded, unless a turn already runs", () => {
    const opened: SessionEvent = { type: "opened", modes: undefined, configOptions: undefined };
    const history = [call("a", "in_progress"), call("b"), call("c", "completed")];
    const loaded = stateAfter([...history, opened]);
    expect(calls(loaded)).toEqual({ a: "cancelled", b: "cancelled", c: "completed" });
    expect(calls(stateAfter([call("a", "in_progress")], loaded))).toMatchObject({ a: "in_progress" });
    expect(calls(stateAfter([started(1), ...history, opened]))).toMatchObject({ a: "in_progress" });
  });

  describe("of another client's turn, of which a hub tells", () => {
    const opened: SessionEvent = { type: "opened", modes: undefined, configOptions: undefined };
    const elsewhere = (state: string, stopReason?: string): SessionEvent => ({
      type: "update",
      update: { sessionUpdate: "session_info_update", _meta: { "acp-hub": { state, stopReason } } },
    });
    const titled: SessionEvent = { type: "update", update: { sessionUpdate: "session_info_update", title: "Work" } };

    test.each(["running", "requires_action"])("go on after a load while its state is %s", (state) => {
      const loaded = stateAfter([elsewhere(state), call("a", "in_progress"), titled, opened]);
      expect(calls(loaded)).toEqual({ a: "in_progress" });
    });

    test.each([
      ["a cancel", "idle", "cancelled"],
      ["a failure", "idle", undefined],
      ["the death of its agent", "unknown", undefined],
    ])("are cancelled by %s, in a history and after it", (_what, state, stopReason) => {
      const turn = [elsewhere("running"), call("a", "in_progress"), call("b", "completed")];
      const over = elsewhere(state, stopReason);
      expect(calls(stateAfter([...turn, opened, over]))).toEqual({ a: "cancelled", b: "completed" });
      const history = stateAfter([...turn, over, elsewhere("running"), call("c", "in_progress"), opened]);
      expect(calls(history)).toEqual({ a: "cancelled", b: "completed", c: "in_progress" });
      expect(calls(stateAfter([...turn, over, opened]))).toEqual({ a: "cancelled", b: "completed" });
    });

    test("may go on after it has ended by itself, unless the session is loaded then", () => {
      const turn = [elsewhere("running"), call("a", "in_progress"), elsewhere("idle", "end_turn")];
      expect(calls(stateAfter([opened, ...turn]))).toEqual({ a: "in_progress" });
      expect(calls(stateAfter([...turn, opened]))).toEqual({ a: "cancelled" });
    });

    test.each([{}, { "acp-hub": null }, { "acp-hub": "running" }, { "acp-hub": { state: 1 } }])(
      "do not go on by custom data such as %j",
      (_meta) => {
        const info: SessionEvent = { type: "update", update: { sessionUpdate: "session_info_update", _meta } };
        expect(calls(stateAfter([info, call("a", "in_progress"), opened]))).toEqual({ a: "cancelled" });
      },
    );
  });
});

describe("the prompt", () => {
  const texts = ({ timeline }: SessionState): string[] =>
    timeline.slice().map((item) => ("chunks" in item ? `${item.type} ${joinText(item.chunks)}` : item.type));

  test("is a user message, and ends the message before it", () => {
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

  test("is one message if the agent echoes it, with the agent's id", () => {
    const back = [chunk("user_message_chunk", "He", "m"), chunk("user_message_chunk", "llo", "m")];
    const state = stateAfter([started(1, "Hello"), ...updates(...back), ...updates(said("Hi"))]);
    expect(texts(state)).toEqual(["user_message Hello", "agent_message Hi"]);
    expect(state.timeline.find("user_message", "m")).toBe(state.timeline.at(0));
    const other = stateAfter([started(1, "Hello"), ...updates(user("Wait"))]);
    expect(texts(other)).toEqual(["user_message Hello", "user_message Wait"]);
  });

  const image = { type: "image", data: "iVBORw0=", mimeType: "image/png" } as const;
  const link = { type: "resource_link", name: "parser.ts", uri: "file:///project/parser.ts" } as const;
  const text = { type: "text", text: "Fix the bug in parser.ts" } as const;
  const user = (value: string, messageId?: string): Received.SessionUpdate =>
    chunk("user_message_chunk", value, messageId);
  const block = (content: Received.ContentBlock): Received.SessionUpdate => ({
    sessionUpdate: "user_message_chunk",
    content,
  });
  const prompted = (...prompt: readonly ContentBlock[]): SessionEvent => ({ type: "turn_started", turn: 1, prompt });

  test.each<readonly [what: string, prompt: readonly ContentBlock[], echo: readonly Received.SessionUpdate[]]>([
    ["all of it", [link, text, image], [block(link), block(text), block(image)]],
    ["its text alone", [text, image], [block(text)]],
    ["the blocks after an omitted one", [image, text, link], [block(text), block(link)]],
    ["the beginning of its text", [text], [user("Fix")]],
    ["its text in pieces", [text, image], [user("Fix the"), user(" bug in parser.ts"), block(image)]],
    ["a part that it contains twice", [{ type: "text", text: "haha" }], [user("ha"), user("ha")]],
    ["it after a thought", [text], [chunk("agent_thought_chunk", "Hm"), block(text)]],
    [
      "it with nulls and a size, and without annotations",
      [{ ...link, annotations: {} }],
      [block({ ...link, size: 7, title: null })],
    ],
  ])("stays as sent when the agent echoes %s", (_, prompt, echo) => {
    const state = stateAfter([prompted(...prompt), ...updates(...echo)]);
    const [first, ...others] = state.timeline.slice().filter(({ type }) => type === "user_message");
    expect(others).toEqual([]);
    expect(first).toMatchObject({ chunks: expect.objectContaining({ length: prompt.length }) });
    expect(JSON.parse(JSON.stringify(first))).toEqual({ type: "user_message", chunks: prompt });
  });

  test("is another message if echoed too often, in another order or after the turn", () => {
    const twice = [prompted(text), ...updates(block(text), user("Fix the bug in parser.ts"))];
    expect(texts(stateAfter(twice))).toHaveLength(2);
    const swapped = stateAfter([prompted(link, image), ...updates(block(image), block(link))]);
    expect(JSON.parse(JSON.stringify(swapped.timeline))).toMatchObject([{ chunks: [link, image] }, { chunks: [link] }]);
    expect(texts(stateAfter([prompted(text), ended(1), ...updates(block(text))]))).toHaveLength(2);
    const other = { ...image, data: "iVBORw1=" };
    expect(texts(stateAfter([prompted(image), ...updates(block(other))]))).toHaveLength(2);
  });

  test("does not match part of a user message from the agent", () => {
    const own = [user("Please: "), user("Fix"), user("m: ", "m"), user("Fix", "m")];
    expect(texts(stateAfter([prompted(text), ...updates(...own)]))).toEqual([
      `user_message ${text.text}`,
      "user_message Please: Fix",
      "user_message m: Fix",
    ]);
  });

  test("UPD-04/client: grows by chunks with its id that do not repeat it", () => {
    const more = ["ha", "!", "!", "ha"].map((value) => user(value, "m"));
    const state = stateAfter([started(1, "haha", "!"), ...updates(...more)]);
    expect(texts(state)).toEqual(["user_message haha!!ha"]);
  });

  test("is matched with its echo turn by turn when there are several", () => {
    const state = stateAfter([
      started(1, "one"),
      started(2, "two"),
      ...updates(user("one")),
      ended(1),
      ...updates(user("two")),
    ]);
    expect(texts(state)).toEqual(["user_message one", "user_message two"]);
  });
});
