import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v1";
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../v1/session-event.ts";
import { joinText } from "../shared/content.ts";
import { reduceSession } from "./reduce-session.ts";
import { initialState, type SessionState } from "./session-state.ts";
import { chunk, said, stateAfter, unstableStateAfter, updates } from "./testing/updates.ts";

/** What the timeline shows, in a form that is easy to compare. */
function shown({ timeline }: Pick<SessionState, "timeline">): string[] {
  return timeline.slice().map((item) => {
    switch (item.type) {
      case "tool_call":
        return `call ${item.toolCallId} ${item.status}`;
      case "user_message":
      case "agent_message":
      case "agent_thought":
        return `${item.type} ${joinText(item.chunks)}`;
      default:
        return item.type;
    }
  });
}

const call = (toolCallId: string, rest: object = {}): Received.SessionUpdate => ({
  sessionUpdate: "tool_call",
  toolCallId,
  title: `Call ${toolCallId}`,
  ...rest,
});
const change = (toolCallId: string, rest: object): Received.SessionUpdate => ({
  sessionUpdate: "tool_call_update",
  toolCallId,
  ...rest,
});
const plan = (...contents: readonly string[]): Received.SessionUpdate => ({
  sessionUpdate: "plan",
  entries: contents.map((content) => ({ content, priority: "low", status: "pending" })),
});

describe("messages", () => {
  test("UPD-04/client: chunks with one id are one message, another id starts another message", () => {
    const state = stateAfter(
      updates(said("Hel", "m1"), said("lo", "m1"), call("c"), said("!", "m1"), said("Bye", "m2"), said("?", "m1")),
    );
    expect(shown(state)).toEqual(["agent_message Hello!?", "call c pending", "agent_message Bye"]);
  });

  test("UPD-04/client: the same id in another kind of chunk is another message", () => {
    const thought = chunk("agent_thought_chunk", "Hm", "m");
    const state = stateAfter(updates(said("A", "m"), thought, said("B", "m"), thought));
    expect(shown(state)).toEqual(["agent_message AB", "agent_thought HmHm"]);
    expect(joinText(state.timeline.find("agent_thought", "m")?.chunks ?? expect.fail())).toBe("HmHm");
  });

  test("UPD-04/client: chunks of one kind without ids join until another item comes", () => {
    const state = stateAfter(
      updates(
        chunk("agent_thought_chunk", "Hm"),
        said("A"),
        said("B", null),
        change("c", { title: "New" }),
        said("C"),
        change("c", { status: "completed" }),
        said("D"),
        said("E", "m"),
        said("F"),
      ),
    );
    expect(shown(state)).toEqual([
      "agent_thought Hm",
      "agent_message AB",
      "call c completed",
      "agent_message CD",
      "agent_message E",
      "agent_message F",
    ]);
  });

  test("notices, unknown updates, usage and the like do not split a message", () => {
    const state = stateAfter(
      updates<Received.SessionUpdate>(
        said("Hel"),
        { sessionUpdate: "usage_update", used: 1, size: 2 },
        { sessionUpdate: "notice", severity: "info", title: "N" },
        { sessionUpdate: unknownVariant, received: {} },
        said("lo"),
      ),
    );
    expect(shown(state)).toEqual(["agent_message Hello", "notice", "unknown"]);
  });

  test.each(["", " ", "__proto__", "constructor", "toString", "agent_message x", "1e3", "\u0000"])(
    "UPD-05 %j is an id like any other",
    (id) => {
      const state = stateAfter(updates(said("A", id), said("B", "other"), said("C", id)));
      expect(shown(state)).toEqual(["agent_message AC", "agent_message B"]);
      expect(state.timeline.find("agent_message", id)).toBe(state.timeline.at(0));
    },
  );

  test("content other than text keeps its position, and the last _meta is kept", () => {
    const image = { type: "image", mimeType: "image/png", data: "" } as const;
    const state = stateAfter(
      updates<Received.SessionUpdate>(
        { ...said("A"), _meta: { n: 1 } } as Received.SessionUpdate,
        { sessionUpdate: "agent_message_chunk", content: image, _meta: { n: 2 } },
        said("B"),
      ),
    );
    expect(state.timeline.at(0)).toMatchObject({ _meta: { n: 2 } });
    expect(JSON.parse(JSON.stringify(state.timeline.at(0)))).toMatchObject({
      chunks: [{ text: "A" }, image, { text: "B" }],
    });
  });
});

describe("tool calls", () => {
  const diff = { type: "diff", path: "/project/a", newText: "a" } as const;
  const text = { type: "content", content: { type: "text", text: "a" } } as const;

  test("TOOL-05/client: an update replaces the members that it has, lists as a whole, and keeps the others", () => {
    const first = { kind: "edit", rawInput: { a: 1 }, content: [diff, text], locations: [{ path: "/project/a" }] };
    const state = stateAfter(updates(call("c", first), change("c", { status: "in_progress", content: [text] })));
    expect(state.timeline.find("tool_call", "c")).toEqual({
      type: "tool_call",
      toolCallId: "c",
      title: "Call c",
      kind: "edit",
      status: "in_progress",
      content: [text],
      locations: [{ path: "/project/a" }],
      rawInput: { a: 1 },
      earlier: expect.objectContaining({ content: [diff], omitted: 0 }),
    });
    const cleared = stateAfter(updates(change("c", { content: [], locations: [], rawInput: [2], title: "T" })), state);
    expect(cleared.timeline.at(0)).toMatchObject({ content: [], locations: [], rawInput: [2], title: "T" });
  });

  test("TOOL-05/client: null and missing members change nothing", () => {
    const before = stateAfter(updates(call("c", { kind: "edit", content: [text], rawOutput: 0 })));
    const nulls = {
      kind: null,
      status: null,
      title: null,
      content: null,
      locations: null,
      rawOutput: null,
      name: null,
    };
    expect(reduceSession(before, { type: "update", update: change("c", nulls) })).toBe(before);
    expect(reduceSession(before, { type: "update", update: change("c", { _meta: undefined }) })).toBe(before);
  });

  test("an update of an unknown call starts one with the defaults of the protocol", () => {
    const state = stateAfter(updates(change("c", { rawInput: 1 })));
    expect(state.timeline.slice()).toEqual([
      {
        type: "tool_call",
        toolCallId: "c",
        title: "c",
        kind: "other",
        status: "pending",
        content: [],
        locations: [],
        rawInput: 1,
      },
    ]);
  });

  test("a permission request updates its call like an update", () => {
    const state = stateAfter([
      { type: "permission_requested", toolCall: { toolCallId: "c", title: "Delete", status: "pending" } },
      ...updates(call("c", { kind: "delete" })),
    ]);
    expect(shown(state)).toEqual(["call c pending"]);
    expect(state.timeline.at(0)).toMatchObject({ title: "Call c", kind: "delete" });
  });

  test("unknown members are kept, but cannot replace the members of an item", () => {
    const state = stateAfter(updates(call("c", { type: "notice", vendor: 1, ["__proto__"]: { status: "failed" } })));
    expect(state.timeline.at(0)).toMatchObject({ type: "tool_call", vendor: 1, status: "pending" });
    expect(Object.getPrototypeOf(state.timeline.at(0))).toBe(Object.prototype);
  });

  test("an unchanged call stays the same object when other items change", () => {
    const before = stateAfter(updates(call("a"), call("b"), said("x")));
    const after = stateAfter(updates(change("b", { status: "completed" }), said("y"), call("c")), before);
    expect(after.timeline.find("tool_call", "a")).toBe(before.timeline.find("tool_call", "a"));
    expect(after.timeline.find("tool_call", "b")).not.toBe(before.timeline.find("tool_call", "b"));
    expect([after.commands, after.info, after.turns]).toEqual([before.commands, before.info, before.turns]);
    expect(after.info).toBe(before.info);
  });
});

describe("plans", () => {
  test("PLAN-03 a plan replaces the previous plan as a whole", () => {
    const state = stateAfter(updates(plan("a", "b", "c"), said("x"), plan("d")));
    expect(state.plan?.entries.map(({ content }) => content)).toEqual(["d"]);
    expect(shown(state)).toEqual(["plan", "agent_message x"]);
    expect(state.timeline.at(0)).toBe(state.plan);
    expect(stateAfter(updates(plan()), state).plan?.entries).toEqual([]);
  });

  test("a plan after the next user message is a new item, and the old one stays unchanged", () => {
    const state = stateAfter(
      updates(chunk("user_message_chunk", "1"), plan("a"), chunk("user_message_chunk", "2"), plan("b")),
    );
    expect(shown(state)).toEqual(["user_message 1", "plan", "user_message 2", "plan"]);
    expect(state.timeline.at(1)).toMatchObject({ entries: [{ content: "a" }] });
    expect(state.timeline.at(3)).toBe(state.plan);
  });

  test("PLAN-11 plans with different ids are separate, and removed by id", () => {
    const state = unstableStateAfter(
      { sessionUpdate: "plan_update", plan: { type: "markdown", planId: "p1", content: "# One" } },
      { sessionUpdate: "plan_update", plan: { type: "items", planId: "p2", entries: [] } },
      { sessionUpdate: "plan", entries: [] },
      { sessionUpdate: "plan_update", plan: { type: "markdown", planId: "p1", content: "# Two" } },
      { sessionUpdate: "plan_removed", planId: "p2" },
      { sessionUpdate: "plan_removed", planId: "p3" },
    );
    expect(state.timeline.slice()).toEqual([
      {
        type: "identified_plan",
        planId: "p1",
        plan: { type: "markdown", planId: "p1", content: "# Two" },
        removed: false,
      },
      { type: "identified_plan", planId: "p2", plan: { type: "items", planId: "p2", entries: [] }, removed: true },
      { type: "plan", entries: [] },
    ]);
  });
});

describe("values that a session has once", () => {
  test("CMD-04 an update replaces all commands", () => {
    const commands = (...names: readonly string[]): Received.SessionUpdate => ({
      sessionUpdate: "available_commands_update",
      availableCommands: names.map((name) => ({ name, description: name })),
    });
    const state = stateAfter(updates(commands("a", "b"), commands("c")));
    expect(state.commands).toEqual([{ name: "c", description: "c" }]);
    expect(stateAfter(updates(commands()), state).commands).toEqual([]);
  });

  test("LIST-13/client: session info keeps missing members and clears null ones", () => {
    const info = (patch: object): Received.SessionUpdate => ({ sessionUpdate: "session_info_update", ...patch });
    const first = stateAfter(updates(info({ title: "A", updatedAt: "2026-01-01T00:00:00Z", _meta: { n: 1 } })));
    expect(stateAfter(updates(info({ title: "B" })), first).info).toEqual({
      title: "B",
      updatedAt: "2026-01-01T00:00:00Z",
      _meta: { n: 1 },
    });
    expect(stateAfter(updates(info({ title: null, _meta: null })), first).info).toEqual({
      updatedAt: "2026-01-01T00:00:00Z",
    });
    expect(stateAfter(updates(info({})), first)).toBe(first);
  });

  test("an update of the options replaces all of them, and so does the answer that sets one", () => {
    const option = (id: string): Received.SessionConfigOption => ({
      type: "boolean",
      id,
      name: id,
      currentValue: true,
    });
    const opened = stateAfter([{ type: "opened", modes: undefined, configOptions: [option("a"), option("b")] }]);
    const update: Received.SessionUpdate = { sessionUpdate: "config_option_update", configOptions: [option("c")] };
    expect(stateAfter(updates(update), opened).configOptions).toEqual([option("c")]);
    const answered = stateAfter([{ type: "config_options_set", configOptions: [option("b"), option("a")] }], opened);
    expect(answered.configOptions).toEqual([option("b"), option("a")]);
  });

  test("an update or an answer changes the current mode, and keeps the available modes", () => {
    const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
    const opened = stateAfter([{ type: "opened", modes, configOptions: undefined }]);
    const coded = stateAfter(updates({ sessionUpdate: "current_mode_update", currentModeId: "code" }), opened);
    expect(coded.modes).toEqual({ ...modes, currentModeId: "code" });
    expect(stateAfter([{ type: "mode_set", modeId: "ask" }], coded).modes).toEqual(modes);
  });

  test("a mode is ignored in a session without modes, and the current mode changes nothing", () => {
    const without = stateAfter(updates({ sessionUpdate: "current_mode_update", currentModeId: "ghost" }));
    expect(without).toEqual(initialState());
    expect(stateAfter([{ type: "mode_set", modeId: "ghost" }], without)).toBe(without);
    const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
    const opened = stateAfter([{ type: "opened", modes, configOptions: undefined }]);
    expect(stateAfter([{ type: "mode_set", modeId: "ask" }], opened)).toBe(opened);
  });

  test("usage is that of the last update", () => {
    const usage = (rest: { used: number; size: number; cost?: Received.Cost }): Received.SessionUpdate => ({
      sessionUpdate: "usage_update",
      ...rest,
    });
    const state = stateAfter(
      updates(usage({ used: 1, size: 10, cost: { amount: 1, currency: "USD" } }), usage({ used: 2, size: 10 })),
    );
    expect(state.usage).toEqual({ used: 2, size: 10 });
  });
});

describe("notices, compactions and unknown updates", () => {
  test("NOTC-05 an unknown severity is kept", () => {
    const notice = { sessionUpdate: "notice", severity: "_acme/party", title: "T", description: null } as const;
    expect(stateAfter(updates(notice)).timeline.slice()).toEqual([
      { type: "notice", severity: "_acme/party", title: "T" },
    ]);
  });

  test("NOTC-08 an update of a compaction keeps missing members, clears null ones and replaces others; chunks append", () => {
    const text = (value: string) => ({ type: "text", text: value }) as const;
    const patch = (rest: object): Received.SessionUpdate => ({
      sessionUpdate: "compaction_update",
      compactionId: "k",
      status: "in_progress",
      ...rest,
    });
    const more = (value: string): Received.SessionUpdate => ({
      sessionUpdate: "compaction_summary_chunk",
      compactionId: "k",
      content: text(value),
    });
    const summary = (state: SessionState): string | undefined => {
      const item = state.timeline.find("compaction", "k");
      return item && joinText(item.summary);
    };
    const grown = stateAfter(
      updates(patch({ _meta: { n: 1 } }), more("a"), said("x"), more("b"), patch({ error: "E" })),
    );
    expect(shown(grown)).toEqual(["compaction", "agent_message x"]);
    expect(summary(grown)).toBe("ab");
    expect(grown.timeline.at(0)).toMatchObject({ status: "in_progress", error: "E", _meta: { n: 1 } });
    const replaced = stateAfter(updates(patch({ summary: [text("c")], error: null }), more("d")), grown);
    expect(summary(replaced)).toBe("cd");
    expect(replaced.timeline.at(0)).not.toHaveProperty("error");
    const cleared = stateAfter(updates(patch({ summary: null, _meta: null, status: "completed" })), replaced);
    expect(summary(cleared)).toBe("");
    expect(cleared.timeline.at(0)).not.toHaveProperty("_meta");
    expect(cleared.timeline.at(0)).toMatchObject({ status: "completed" });
    expect(summary(stateAfter(updates(more("z"))))).toBe("z");
  });

  test("UPD-07 an update of an unknown kind is kept as received", () => {
    const received = { sessionUpdate: "_acme/mood", mood: 7 };
    const state = stateAfter(updates<Received.SessionUpdate>({ sessionUpdate: unknownVariant, received }));
    expect(state.timeline.slice()).toEqual([{ type: "unknown", received }]);
    expect(state.timeline.at(0)).toHaveProperty("received", received);
  });

  test("UPD-07 an update of an unknown kind survives JSON, decoded or not", () => {
    const received = { sessionUpdate: "_acme/mood", received: { mood: 7 } };
    const [event] = updates<Received.SessionUpdate>({ sessionUpdate: unknownVariant, received });
    const unmarked: SessionEvent = JSON.parse(JSON.stringify(event));
    const unread: SessionEvent = JSON.parse(JSON.stringify({ type: "update", update: received }));
    for (const copy of [unmarked, unread])
      expect(stateAfter([copy]).timeline.slice()).toEqual([{ type: "unknown", received }]);
  });

  test("updates of subagents and of messages between sessions patch the item with their id", () => {
    const text = (value: string) => ({ type: "text", text: value }) as const;
    const state = unstableStateAfter(
      { sessionUpdate: "subagent_update", sessionId: "s2", title: "Searcher", cwd: "/project" },
      { sessionUpdate: "session_message", messageId: "m", senderSessionId: "s1", content: [text("a")] },
      { sessionUpdate: "session_message_chunk", messageId: "m", content: text("b") },
      { sessionUpdate: "subagent_update", sessionId: "s2", cwd: null, state: { state: "running" } },
      { sessionUpdate: "session_message", messageId: "m", senderSessionId: null, recipientSessionId: "s2" },
    );
    expect(JSON.parse(JSON.stringify(state.timeline))).toEqual([
      { type: "subagent", sessionId: "s2", title: "Searcher", state: { state: "running" } },
      { type: "session_message", messageId: "m", recipientSessionId: "s2", content: [text("a"), text("b")] },
    ]);
  });
});

test("reduceSession() starts with an empty state", () => {
  expect(stateAfter([])).toEqual(initialState());
  expect(initialState().timeline.length).toBe(0);
});
