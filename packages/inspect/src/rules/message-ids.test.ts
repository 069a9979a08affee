import { expect, test } from "vitest";

import type { Side } from "../inspected.ts";
import { createInspector } from "../inspector.ts";
import { Log } from "../log/log.ts";
import { createRedaction } from "../log/redaction.ts";

type Message = readonly [Side, object];

const opening: readonly Message[] = [
  ["client", { id: 0, method: "initialize", params: { protocolVersion: 1 } }],
  ["agent", { id: 0, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } }],
  ["client", { id: 1, method: "session/new", params: { cwd: "/", mcpServers: [] } }],
  ["agent", { id: 1, result: { sessionId: "s" } }],
];
const prompt: Message = [
  "client",
  { id: 2, method: "session/prompt", params: { sessionId: "s", prompt: [{ type: "text", text: "Go" }] } },
];
const load: Message = [
  "client",
  { id: 3, method: "session/load", params: { sessionId: "s", cwd: "/", mcpServers: [] } },
];
const update = (body: object): Message => [
  "agent",
  { method: "session/update", params: { sessionId: "s", update: body } },
];
const chunk = (messageId: string | undefined, kind = "message"): Message =>
  update({ sessionUpdate: `agent_${kind}_chunk`, messageId, content: { type: "text", text: "x" } });
const call = (toolCallId: string): Message => update({ sessionUpdate: "tool_call", toolCallId, title: "Read" });
const usage = update({ sessionUpdate: "usage_update", used: 1, size: 2 });

const turn = [prompt, ...["a", "b", "c", "d"].map((id) => chunk(id))];

/** The places of the messages with a hint, among those behind the opening; anything else is wrong. */
function hintsIn(messages: readonly Message[]): readonly number[] {
  const inspector = createInspector();
  return [...opening, ...messages].flatMap(([from, message], index) => {
    const { findings } = inspector.take(from, { jsonrpc: "2.0", ...message });
    expect(findings.filter(({ isHint }) => isHint !== true)).toEqual([]);
    return findings.map(() => index - opening.length);
  });
}

test.each<[string, readonly Message[], readonly number[]]>([
  ["each chunk has an id of its own", [prompt, ...["a", "b", "c", "d", "e"].map((id) => chunk(id))], [4]],
  ["each thought has", [prompt, ...["a", "b", "c", "d"].map((id) => chunk(id, "thought"))], [4]],
  ["usage comes between", [prompt, chunk("a"), chunk("b"), usage, chunk("c"), chunk("d")], [5]],
  ["another turn does so again", [...turn, ["agent", { id: 2, result: { stopReason: "end_turn" } }], ...turn], [4, 10]],
  ["all share one", [prompt, ...["a", "a", "a", "a", "a"].map((id) => chunk(id))], []],
  ["two messages are written at once", [prompt, ...["a", "b", "a", "b", "c", "d"].map((id) => chunk(id))], []],
  ["there are none", [prompt, ...[1, 2, 3, 4, 5].map(() => chunk(undefined))], []],
  [
    "each is a message before a tool call",
    [prompt, ...["a", "b", "c", "d"].flatMap((id) => [chunk(id), call(`call ${id}`)])],
    [],
  ],
  ["a history is replayed", [load, ...["a", "b", "c", "d"].map((id) => chunk(id))], []],
])("chunks with ids are hinted at where %s", (_name, messages, places) => {
  expect(hintsIn(messages)).toEqual(places);
});

test("a hint is in the log, and nothing is wrong", () => {
  const lines: string[] = [];
  const log = new Log({ write: (line) => lines.push(line), redaction: createRedaction(false), isFull: false });
  const inspector = createInspector();
  for (const [from, message] of [...opening, prompt, chunk("a"), chunk("b"), chunk("c"), chunk("d")]) {
    log.message(inspector.take(from, { jsonrpc: "2.0", ...message }), message);
  }
  expect(log.end([])).toBe(false);
  expect(lines.filter((line) => line.includes(" ? /update/messageId: is new in each of 4 chunks"))).toHaveLength(1);
  expect(lines.slice(-3)).toMatchObject([
    "Nothing is wrong with the messages.",
    "What is allowed, but hardly meant:",
    expect.stringMatching(/^ {5}1 × agent session\/update \/update\/messageId: is new/u),
  ]);
});
