import { unknownVariant } from "@acp/schema";
import type { Received } from "@acp/schema/v2/types";
import { describe, expect, test } from "vitest";
import { joinText } from "../shared/content.ts";
import { reduceSession } from "./reduce-session.ts";
import type { SessionState } from "./session-state.ts";
import { optionsOf } from "../shared/settings.ts";
import { joinBlocks } from "../shared/content.ts";
import { block, call, said, stateAfter, stateOf, unstableStateOf, updates } from "./testing/updates.ts";

const textOf = (state: SessionState, messageId = "m"): string | undefined => {
  const message = state.timeline.find("agent_message", messageId);
  return message && joinText(message.chunks);
};
const message = (content?: readonly string[] | null, rest: object = {}): Received.SessionUpdate => ({
  sessionUpdate: "agent_message",
  messageId: "m",
  ...(content === undefined ? {} : { content: content && content.map(block) }),
  ...rest,
});
const after = (state: SessionState, ...list: readonly Received.SessionUpdate[]): SessionState =>
  stateAfter(updates(...list), state);

describe("a message", () => {
  test("has the content of the last update, followed by later chunks", () => {
    const state = stateOf(message(["A"]), said("B"));
    expect(textOf(state)).toBe("AB");
    const replaced = after(state, message(["C"]), said("D"));
    expect(textOf(replaced)).toBe("CD");
    expect(replaced.timeline.length).toBe(1);
  });

  test("keeps its content if an update omits it, and clears it for null or an empty list", () => {
    const state = stateOf(said("A"));
    expect(reduceSession(state, { type: "update", update: message() })).toBe(state);
    expect(textOf(after(state, message(undefined, { _meta: { a: 1 } })))).toBe("A");
    expect(textOf(after(state, message(null), said("B")))).toBe("B");
    expect(textOf(after(state, message([]), said("B")))).toBe("B");
  });

  test("starts with a chunk, or with an update without content", () => {
    expect(textOf(stateOf(message()))).toBe("");
    expect(textOf(stateOf(said("A")))).toBe("A");
  });

  test("is identified by id and type, in any order", () => {
    const chunk = (
      sessionUpdate: "agent_thought_chunk" | "user_message_chunk",
      text: string,
    ): Received.SessionUpdate => ({
      sessionUpdate,
      messageId: "m",
      content: block(text),
    });
    const state = stateOf(
      said("a"),
      chunk("agent_thought_chunk", "1"),
      said("x", "n"),
      chunk("user_message_chunk", "!"),
      said("b"),
      chunk("agent_thought_chunk", "2"),
      said("y", "n"),
    );
    const shown = state.timeline.slice().map((item) => "chunks" in item && [item.type, joinText(item.chunks)]);
    expect(shown).toEqual([
      ["agent_message", "ab"],
      ["agent_thought", "12"],
      ["agent_message", "xy"],
      ["user_message", "!"],
    ]);
  });

  test("keeps content of an unknown kind", () => {
    const unknown = { type: unknownVariant, received: { type: "_hologram" } } as const;
    const state = stateOf(
      said("A"),
      { sessionUpdate: "agent_message_chunk", messageId: "m", content: unknown },
      said("B"),
    );
    const chunks = state.timeline.find("agent_message", "m")?.chunks ?? expect.fail();
    expect(joinBlocks(chunks)).toEqual([block("A"), unknown, block("B")]);
    expect(joinText(chunks)).toBe("AB");
  });
});

describe("_meta", () => {
  const metaOf = (state: SessionState): unknown => state.timeline.find("agent_message", "m")?._meta;
  const metaAfter = (...list: readonly (object | null)[]): unknown =>
    metaOf(
      list.reduce<SessionState>((state, _meta) => after(state, message(undefined, { _meta })), stateOf(said("A"))),
    );

  test("is patched key by key", () => {
    expect(metaAfter({ a: 1, b: { c: 1 } }, { b: { d: 2 }, type: "x" })).toEqual({ a: 1, b: { d: 2 }, type: "x" });
    expect(metaAfter({ a: 1, b: 2 }, { a: null, gone: null })).toEqual({ b: 2 });
  });

  test("is removed by null, and when no key remains", () => {
    expect(metaAfter({ a: 1 }, null)).toBeUndefined();
    expect(metaAfter({ a: 1 }, { a: null })).toBeUndefined();
    expect(metaAfter({})).toBeUndefined();
  });

  test("accepts any key, including those of prototypes", () => {
    const meta: object = JSON.parse('{"__proto__":1}');
    expect(JSON.stringify(metaAfter({ a: 1 }, meta))).toBe('{"a":1,"__proto__":1}');
  });

  test("of a chunk belongs to the chunk alone", () => {
    const chunk = {
      sessionUpdate: "agent_message_chunk",
      messageId: "m",
      content: block("A"),
      _meta: { a: 1 },
    } as const;
    expect(metaOf(stateOf(chunk))).toBeUndefined();
  });
});

describe("a tool call", () => {
  const callIn = (state: SessionState): ReturnType<typeof find> => find(state) ?? expect.fail();
  const find = (state: SessionState) => state.timeline.find("tool_call", "c");
  const content = (text: string): Received.ToolCallContent => ({ type: "content", content: block(text) });
  const more = (text: string): Received.SessionUpdate => ({
    sessionUpdate: "tool_call_content_chunk",
    toolCallId: "c",
    content: content(text),
  });

  test("starts with the update's members, and the defaults of the protocol", () => {
    const nothing = { type: "tool_call", toolCallId: "c", kind: "other", status: "pending", locations: [] };
    expect(callIn(stateOf(call({})))).toMatchObject(nothing);
    expect(callIn(stateOf(more("A")))).toMatchObject(nothing);
    expect(callIn(stateOf(more("A")))?.content.slice()).toEqual([content("A")]);
  });

  test("keeps missing members, clears null ones, and replaces others", () => {
    const told = {
      title: "Read",
      name: "read",
      kind: "read",
      status: "in_progress",
      locations: [{ path: "/a" }],
      rawInput: { a: 1 },
      rawOutput: 2,
      capabilities: { cancel: {} },
    } as const;
    const whole = stateOf(call({ ...told, locations: [...told.locations] }));
    expect(callIn(whole)).toMatchObject(told);
    expect(callIn(after(whole, call({ status: "completed" })))).toMatchObject({ ...told, status: "completed" });
    const cleared = callIn(
      after(
        whole,
        call({
          title: null,
          name: null,
          kind: null,
          status: null,
          locations: null,
          rawInput: null,
          rawOutput: null,
          capabilities: null,
        }),
      ),
    );
    expect(Object.keys(cleared ?? {}).toSorted()).toEqual(
      ["type", "toolCallId", "kind", "status", "content", "locations", "earlier"].toSorted(),
    );
    expect(cleared).toMatchObject({ kind: "other", status: "pending", locations: [] });
  });

  test("has the content of the last update, followed by later chunks", () => {
    const state = stateOf(more("A"), more("B"));
    expect(callIn(after(state, call({ status: "in_progress" })))?.content.slice()).toEqual([
      content("A"),
      content("B"),
    ]);
    expect(callIn(after(state, call({ content: [content("C")] }), more("D")))?.content.slice()).toEqual([
      content("C"),
      content("D"),
    ]);
    expect(callIn(after(state, call({ content: null })))?.content.length).toBe(0);
  });

  test("is also updated by a permission request", () => {
    const toolCall = { toolCallId: "c", title: "Delete all" };
    const state = stateAfter([{ type: "permission_requested", toolCall }]);
    expect(callIn(state)).toMatchObject({ title: "Delete all", status: "pending" });
  });

  test("that changes nothing returns the same state object", () => {
    const state = stateOf(call({ title: "Read", status: "in_progress" }));
    expect(after(state, call({ status: "in_progress" }))).toBe(state);
  });
});

describe("a plan", () => {
  const plan = (planId: string, content: string): Received.SessionUpdate => ({
    sessionUpdate: "plan_update",
    plan: { type: "items", planId, entries: [{ content, priority: "low", status: "pending" }] },
  });

  test("replaces the plan with its id, at its position", () => {
    const state = stateOf(plan("a", "1"), plan("b", "2"), plan("a", "3"));
    expect(state.timeline.slice().map((item) => item.type === "plan" && item.planId)).toEqual(["a", "b"]);
    expect(state.timeline.find("plan", "a")?.plan).toMatchObject({ entries: [{ content: "3" }] });
  });

  test("stays the latest plan through changes until another plan follows", () => {
    const state = stateOf(plan("a", "1"), plan("b", "2"), plan("a", "3"));
    expect(state.plan).toBe(state.timeline.find("plan", "b"));
    const changed = after(state, plan("b", "4"));
    expect(changed.plan).toBe(changed.timeline.find("plan", "b"));
    expect(stateOf(plan("a", "1")).plan?.planId).toBe("a");
  });

  test("of an unknown kind also replaces it, even after JSON", () => {
    const received = { type: "_graph", planId: "a" };
    const update = { sessionUpdate: "plan_update", plan: { type: unknownVariant, received } } as const;
    for (const told of [update, JSON.parse(JSON.stringify(update))]) {
      const state = stateOf(plan("a", "1"), told);
      expect(state.timeline.length).toBe(1);
      expect(state.timeline.find("plan", "a")?.plan).toMatchObject({ received });
    }
    const without = { sessionUpdate: "plan_update", plan: { type: unknownVariant, received: {} } } as const;
    expect(stateOf(without).timeline.at(0)).toEqual({ type: "unknown", received: without });
  });
});

describe("a compaction", () => {
  test("starts with its first update or chunk, and is patched at its position", () => {
    const chunk = { sessionUpdate: "compaction_summary_chunk", compactionId: "k", content: block("A") } as const;
    const told = (rest: object): Received.SessionUpdate => ({
      sessionUpdate: "compaction_update",
      compactionId: "k",
      status: "failed",
      ...rest,
    });
    const state = stateOf(chunk, said("B"), told({ error: "no" }));
    expect(state.timeline.at(0)).toMatchObject({ status: "failed", error: "no" });
    const find = (one: SessionState) => one.timeline.find("compaction", "k") ?? expect.fail();
    expect(joinText(find(state).summary)).toBe("A");
    expect(find(stateOf(chunk)).status).toBe("in_progress");
    expect(find(after(state, told({ error: null, summary: [block("C")] })))).not.toHaveProperty("error");
    expect(joinText(find(after(state, told({ summary: [block("C")] }), chunk)).summary)).toBe("CA");
    expect(find(after(state, told({ summary: null }))).summary.length).toBe(0);
  });
});

describe("information about the session", () => {
  test("patches title and time, and replaces commands and options", () => {
    const state = stateOf(
      { sessionUpdate: "session_info_update", title: "A", updatedAt: "2026-11-20T16:04:31Z" },
      { sessionUpdate: "session_info_update", title: null, _meta: { a: 1 } },
      {
        sessionUpdate: "available_commands_update",
        availableCommands: [{ type: "command", name: "a", description: "" }],
      },
      { sessionUpdate: "available_commands_update", availableCommands: [] },
    );
    expect(state.info).toEqual({ updatedAt: "2026-11-20T16:04:31Z", _meta: { a: 1 } });
    expect(state.commands).toEqual([]);
  });

  test("keeps the cost if a usage update omits it, and clears it for null", () => {
    const usage = (rest: object): Received.SessionUpdate => ({
      sessionUpdate: "usage_update",
      used: 1,
      size: 2,
      ...rest,
    });
    const cost = { amount: 1, currency: "EUR" };
    const state = stateOf(usage({ cost, _meta: { a: 1 } }), usage({ used: 3 }));
    expect(state.usage).toEqual({ used: 3, size: 2, cost });
    expect(after(state, usage({ cost: null })).usage).toEqual({ used: 1, size: 2 });
  });

  test("returns options by category, without options of unknown kinds", () => {
    const option = (configId: string, category?: string): Received.SessionConfigOption => ({
      type: "boolean",
      configId,
      name: configId,
      currentValue: true,
      ...(category === undefined ? {} : { category }),
    });
    const unknown = { type: unknownVariant, received: {} } as const;
    const configOptions = [option("a", "model"), unknown, option("b"), option("c", "_own")];
    const state = stateOf({ sessionUpdate: "config_option_update", configOptions });
    expect(state.configOptions).toBe(configOptions);
    expect(optionsOf(state, "model").map(({ configId }) => configId)).toEqual(["a"]);
    expect(optionsOf(state, undefined).map(({ configId }) => configId)).toEqual(["b", "c"]);
  });

  test("takes the lists of the answer that opened it, and of an answer that set an option", () => {
    const command = { type: "command", name: "a", description: "" } as const;
    const state = stateAfter([{ type: "opened", configOptions: [], commands: [command] }]);
    expect(state.commands).toEqual([command]);
    const option = { type: "boolean", configId: "a", name: "A", currentValue: true } as const;
    expect(stateAfter([{ type: "config_options_set", configOptions: [option] }], state).configOptions).toEqual([
      option,
    ]);
  });
});

test("notices and updates of unknown kinds keep their positions, even after JSON", () => {
  const received = { sessionUpdate: "_own", a: 1 };
  const notice = { sessionUpdate: "notice", severity: "warning", title: "A", description: null } as const;
  const list = [notice, { sessionUpdate: unknownVariant, received } as const, notice];
  for (const told of [list, JSON.parse(JSON.stringify(list))]) {
    expect(stateOf(...told).timeline.slice()).toEqual([
      { type: "notice", severity: "warning", title: "A" },
      { type: "unknown", received },
      { type: "notice", severity: "warning", title: "A" },
    ]);
  }
});

describe("the unstable protocol", () => {
  test("removes plans, and restores them at their positions", () => {
    const state = unstableStateOf(
      { sessionUpdate: "plan_update", plan: { type: "markdown", planId: "a", content: "# A" } },
      said("A"),
      { sessionUpdate: "plan_removed", planId: "a" },
      { sessionUpdate: "plan_removed", planId: "b" },
    );
    expect(state.timeline.length).toBe(2);
    expect(state.timeline.find("plan", "a")).toMatchObject({ removed: true, plan: { content: "# A" } });
    expect(state.plan).toBeUndefined();
  });

  test("patches subagents and messages between sessions by id", () => {
    const chunk = { sessionUpdate: "session_message_chunk", messageId: "m", content: block("A") } as const;
    const state = unstableStateOf(
      { sessionUpdate: "subagent_update", sessionId: "s", title: "A", cwd: "/a" },
      { sessionUpdate: "subagent_update", sessionId: "s", title: null, state: { state: "running" } },
      chunk,
      { sessionUpdate: "session_message", messageId: "m", senderSessionId: "s", content: [block("B")] },
      chunk,
    );
    expect(state.timeline.at(0)).toEqual({ type: "subagent", sessionId: "s", cwd: "/a", state: { state: "running" } });
    const sent = state.timeline.find("session_message", "m") ?? expect.fail();
    expect([sent.senderSessionId, joinText(sent.content)]).toEqual(["s", "BA"]);
  });
});
