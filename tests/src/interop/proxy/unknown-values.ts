import type { Exchange } from "./typed-proxied.ts";

const sessionId = "sess_7f3a";
const text = { type: "text", text: "Hello" };
const smell = { type: "smell", data: "cm9zZQ==", intensity: 0.3 };

const update = (held: object): Exchange => ({ method: "session/update", params: { sessionId, update: held } });
const call = (more: object): Exchange =>
  update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Look", ...more });
const permission = { toolCall: { toolCallId: "c" }, options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }] };
const form = { sessionId, mode: "form", message: "?", requestedSchema: { type: "object", properties: {} } };

/** Values that this version of the protocol does not know, in places where it lets a receiver do without them. */
export const unknownValues: readonly (readonly [what: string, Exchange])[] = [
  ["an update of an unknown kind", update({ sessionUpdate: "teleported", to: { place: [1, null] } })],
  [
    "an update whose kind is the tag of unknown variants",
    update({ sessionUpdate: "unknown variant", received: { sessionUpdate: "plan", entries: [] } }),
  ],
  ["content of an unknown kind in a message", update({ sessionUpdate: "agent_message_chunk", content: smell })],
  ["a known update with another payload", update({ sessionUpdate: "plan", entries: { not: "a list" } })],
  ["an unknown kind of tool", call({ kind: "teleport", status: "pending" })],
  ["an unknown status of a tool call", call({ status: "dreaming", content: [{ type: "content", content: text }] })],
  [
    "content of an unknown kind among a tool call's",
    call({
      content: [
        { type: "hologram", of: 1 },
        { type: "content", content: smell },
        { type: "content", content: text },
      ],
    }),
  ],
  [
    "a plan's unknown priority and status",
    update({
      sessionUpdate: "plan",
      entries: [
        { content: "a", priority: "sometime", status: "pending" },
        { content: "b", priority: "low", status: "blocked" },
      ],
    }),
  ],
  [
    "a plan of an unknown kind",
    update({ sessionUpdate: "plan_update", plan: { type: "gantt", planId: "p", bars: [[0, 1]] } }),
  ],
  [
    "a config option of an unknown type in an update",
    update({
      sessionUpdate: "config_option_update",
      configOptions: [{ type: "dial", id: "d", name: "D", currentValue: 3 }],
    }),
  ],
  [
    "a config option of an unknown type in an answer",
    {
      method: "session/new",
      params: { cwd: "/", mcpServers: [] },
      result: { sessionId: "s1", configOptions: [{ type: "dial", id: "d", name: "D", currentValue: 3 }] },
    },
  ],
  [
    "an unknown kind of tool that permission is asked for",
    {
      method: "session/request_permission",
      params: { sessionId, ...permission, toolCall: { toolCallId: "c", kind: "teleport" } },
      result: { outcome: { outcome: "selected", optionId: "yes", because: "why not" } },
    },
  ],
];

/** Values that it does not know in unions which the schema leaves open: they are valid. */
export const otherValues: readonly (readonly [what: string, Exchange])[] = [
  [
    "a field of an unknown type in a form",
    {
      method: "elicitation/create",
      params: { ...form, requestedSchema: { type: "object", properties: { place: { type: "map", zoom: 3 } } } },
      result: { action: "accept", content: { place: "here" } },
    },
  ],
  [
    "an unknown answer to a form, with content",
    { method: "elicitation/create", params: form, result: { action: "later", content: { when: "soon" } } },
  ],
];

/** Values that it does not know in places where taking them for something else would be dangerous. */
export const refusedValues: readonly (readonly [what: string, code: number, Exchange])[] = [
  [
    "content of an unknown kind in a prompt",
    -32602,
    { from: "client", method: "session/prompt", params: { sessionId, prompt: [smell] } },
  ],
  [
    "an unknown stop reason",
    -32603,
    { method: "session/prompt", params: { sessionId, prompt: [text] }, result: { stopReason: "bored" } },
  ],
  [
    "an unknown kind of option to permit something",
    -32602,
    {
      from: "agent",
      method: "session/request_permission",
      params: { sessionId, ...permission, options: [{ optionId: "y", name: "Y", kind: "allow_today" }] },
    },
  ],
  [
    "an unknown outcome of a permission request",
    -32603,
    {
      method: "session/request_permission",
      params: { sessionId, ...permission },
      result: { outcome: { outcome: "postponed" } },
    },
  ],
  [
    "a question in an unknown mode",
    -32602,
    { from: "agent", method: "elicitation/create", params: { ...form, mode: "voice" } },
  ],
];
