import type { Peer } from "@acp/testing";

import { hostile } from "../client-check.ts";
import type { ClientCheck, ClientContext } from "../client-context.ts";
import { callOf, chunkOf, goesOnAfter, sendUpdate } from "../turns.ts";

const readOn =
  "Leave out an update that you cannot read, and go on: it is no reason to end the turn or the connection.";

/** Updates that are of no use to a client, and may not harm it. */
export const oddUpdates: readonly ClientCheck[] = [
  odd({
    id: "unknown-kind-of-update",
    what: "updates of a kind that it does not know",
    rules: ["UPD-07"],
    seen: "https://github.com/frontman-ai/frontman/issues/525",
    updates: () => [
      { sessionUpdate: "weather_update", sky: "blue" },
      { sessionUpdate: "_check.acp/own", a: 1 },
    ],
  }),
  odd({
    id: "usage-and-modes-in-between",
    what: "reports of usage, modes, options, commands and titles between texts",
    rules: ["UPD-02", "UPD-06", "MODE-04"],
    seen: "https://github.com/aaif-goose/goose/pull/11018",
    updates: ({ settings }) => [
      { sessionUpdate: "usage_update", used: 1200, size: 200_000, cost: { amount: 0.01, currency: "USD" } },
      { sessionUpdate: "session_info_update", title: "A title", updatedAt: "2026-01-01T00:00:00Z" },
      { sessionUpdate: "available_commands_update", availableCommands: [] },
      { sessionUpdate: "config_option_update", configOptions: [] },
      ...(settings.protocol === 1 ? [{ sessionUpdate: "current_mode_update", currentModeId: "build" }] : []),
    ],
  }),
  odd({
    id: "unknown-kind-of-content",
    what: "messages with a kind of content that it does not know, or cannot show",
    rules: ["CONT-01", "UPD-03"],
    updates: (context) => [
      { ...chunkOf(context, ""), content: { type: "hologram", data: "x" } },
      { ...chunkOf(context, ""), content: { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } },
      { ...chunkOf(context, ""), content: { type: "audio", data: "AAAA", mimeType: "audio/wav" } },
      { ...chunkOf(context, ""), content: { type: "resource_link", uri: "file:///a.txt", name: "a.txt" } },
      { ...chunkOf(context, ""), content: { type: "resource", resource: { uri: "file:///a.txt", text: "a" } } },
    ],
  }),
  odd({
    id: "unknown-kind-of-tool",
    what: "tool calls of an unknown kind or status, with content of an unknown kind",
    rules: ["TOOL-03", "TOOL-04", "TOOL-09"],
    seen: "https://github.com/frontman-ai/frontman/issues/529",
    updates: (context) => [
      call(context, { kind: "teleport" }),
      call(context, { toolCallId: "call-2", status: "levitating" }),
      call(context, {
        toolCallId: "call-3",
        content: [{ type: "hologram", data: 1 }],
        locations: [{ path: "relative.txt", line: 0 }],
      }),
    ],
  }),
  odd({
    id: "update-of-an-unknown-call",
    what: "a tool_call_update for a call that was never announced",
    rules: ["TOOL-05"],
    seen: "https://github.com/zed-industries/zed/issues/61667",
    updates: () => [
      { sessionUpdate: "tool_call_update", toolCallId: "never-announced", status: "completed" },
      { sessionUpdate: "tool_call_update", toolCallId: "never-announced", title: "Late title", status: "failed" },
    ],
  }),
  odd({
    id: "call-is-announced-twice",
    what: "a tool call that is announced twice, and ends more than once",
    rules: ["TOOL-02"],
    seen: "https://github.com/BasedHardware/omi/pull/8787",
    updates: (context) => [
      call(context, { status: "completed" }),
      call(context, { status: "pending" }),
      { sessionUpdate: "tool_call_update", toolCallId: "call-1", status: "completed" },
      { sessionUpdate: "tool_call_update", toolCallId: "call-1", status: "failed" },
    ],
  }),
  odd({
    id: "null-where-optional",
    what: "null where a member is optional",
    rules: ["COMPAT-03", "EXT-01"],
    seen: "https://github.com/frontman-ai/frontman/issues/528",
    updates: (context) => [
      call(context, { _meta: null }),
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "call-1",
        title: null,
        kind: null,
        status: null,
        content: null,
        locations: null,
        _meta: null,
      },
      { sessionUpdate: "session_info_update", title: null, updatedAt: null },
    ],
  }),
  odd({
    id: "required-members-are-missing",
    what: "updates whose required members are missing or of another type",
    rules: ["COMPAT-02"],
    updates: () => [
      {},
      { sessionUpdate: "agent_message_chunk" },
      { sessionUpdate: "agent_message_chunk", content: "just text" },
      { sessionUpdate: "tool_call", title: 7 },
      { sessionUpdate: "plan", entries: "none" },
      { sessionUpdate: 12 },
    ],
  }),
  odd({
    id: "plan-is-replaced",
    what: "plans that replace each other, become empty, and have unknown states",
    rules: ["PLAN-03", "PLAN-05"],
    updates: ({ settings }) =>
      [
        [{ content: "One", priority: "high", status: "pending" }],
        [{ content: "Two", priority: "urgent", status: "paused" }],
        [],
      ].map((entries) =>
        settings.protocol === 2
          ? { sessionUpdate: "plan_update", plan: { type: "items", planId: "p", entries } }
          : { sessionUpdate: "plan", entries },
      ),
  }),
  odd({
    id: "call-before-any-text",
    what: "a tool call and a thought before any text",
    rules: ["TOOL-01"],
    seen: "https://github.com/formulahendry/acp-ui/issues/9",
    updates: (context) => [
      call(context, { status: "in_progress" }),
      { ...chunkOf(context, "Thinking. "), sessionUpdate: "agent_thought_chunk" },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "call-1",
        status: "completed",
        content: [{ type: "content", content: { type: "text", text: "out" } }],
      },
    ],
  }),
  odd({
    id: "deep-tool-input",
    what: "tool input and output that are nested a thousand deep, or no object",
    rules: ["TOOL-14"],
    updates: (context) => [
      call(context, { rawInput: nested(1000) }),
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "call-1",
        rawInput: "text",
        rawOutput: [null, 1, "two", { three: nested(100) }],
      },
    ],
  }),
];

interface Odd {
  readonly id: string;
  readonly what: string;
  readonly rules: readonly string[];
  readonly seen?: string;
  updates(context: ClientContext): readonly object[];
}

function odd({ id, what, rules, seen, updates }: Odd): ClientCheck {
  return hostile({
    id,
    title: `A client goes on after ${what}`,
    rules,
    seen,
    mend: readOn,
    run: (context) => {
      const sent = updates(context);
      const texts = sent.map((_, index) => `then${4710 + index}`);
      const send = async (peer: Peer, sessionId: string): Promise<void> => {
        sendUpdate(peer, sessionId, chunkOf(context, "first4701 "));
        for (const [index, update] of sent.entries()) {
          sendUpdate(peer, sessionId, update);
          sendUpdate(peer, sessionId, chunkOf(context, `${texts[index]} `));
        }
      };
      return goesOnAfter(context, send, "first4701", ...texts);
    },
  });
}

/** The announcement of a call, in both versions. */
function call(context: ClientContext, more: object): object {
  return callOf(context, { toolCallId: "call-1", title: "A call", kind: "other", status: "pending", ...more });
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = { in: value };
  return value;
}
