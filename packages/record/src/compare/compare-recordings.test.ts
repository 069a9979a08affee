import { expect, test } from "vitest";

import type { RecordedMessage } from "../record-transport.ts";
import { compareRecordings } from "./compare-recordings.ts";
import { comparisonLines } from "./comparison-lines.ts";

function compareAgents(
  left: readonly RecordedMessage[],
  right: readonly RecordedMessage[],
  { onlyKinds = false } = {},
): { readonly lines: readonly string[]; readonly differences: number } {
  const comparison = compareRecordings(left, right, { side: "agent", onlyKinds });
  return { lines: comparisonLines(comparison, { onlyKinds }), differences: comparison.differences };
}

const entry = (direction: "sent" | "received", message: object): RecordedMessage => ({
  time: "2026-03-01T10:00:00.000Z",
  direction,
  message: { jsonrpc: "2.0", ...message },
});
const opening = entry("sent", { id: 0, method: "initialize", params: {} });
const chunk = (text: string, sessionId = "a"): RecordedMessage =>
  entry("received", {
    method: "session/update",
    params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
  });
const answer = (id: number, result: object): RecordedMessage => entry("received", { id, result });

test("compareRecordings() of one side takes ids, times and the borders of chunks for no difference", () => {
  const recorded = [
    opening,
    answer(0, { sessionId: "a" }),
    chunk("Hel"),
    chunk("lo"),
    answer(1, { updatedAt: "2026-03-01T10:00:00Z" }),
  ];
  const said = [answer(7, { sessionId: "b" }), chunk("Hello", "b"), answer(8, { updatedAt: "2027-03-01T10:00:00Z" })];
  expect(compareAgents(recorded, said)).toEqual({ lines: [], differences: 0 });
});

test("compareRecordings() of one side shows the differences, with a little context", () => {
  const same = Array.from({ length: 5 }, (_, index) => answer(index, { index }));
  const recorded = [opening, ...same, chunk("red"), answer(9, { stopReason: "end_turn" })];
  const said = [...same, chunk("blue"), answer(9, { stopReason: "end_turn" })];
  expect(compareAgents(recorded, said)).toEqual({
    lines: [
      "  … 3 the same",
      '  answer {"index":3}',
      '  answer {"index":4}',
      '- session/update agent_message_chunk "red"',
      '+ session/update agent_message_chunk "blue"',
      '  answer {"stopReason":"end_turn"}',
    ],
    differences: 2,
  });
  expect(compareAgents(recorded, said, { onlyKinds: true })).toEqual({ lines: [], differences: 0 });
});

/** A client and an agent with one session each, and one turn with these messages of the agent. */
function connection(sessions: Readonly<Record<string, readonly RecordedMessage[]>>, took = 10): RecordedMessage[] {
  let id = 1;
  let time = 0;
  const at = (one: RecordedMessage): RecordedMessage => ({ ...one, time: new Date((time += took)).toISOString() });
  return Object.entries(sessions).reduce(
    (all, [sessionId, messages]) => {
      const prompt = entry("sent", { id: ++id, method: "session/prompt", params: { sessionId, prompt: [] } });
      return [...all, prompt, ...messages, answer(id, { stopReason: "end_turn" })].map(at);
    },
    [opening, answer(0, {})].map(at),
  );
}
const call = (id: string, title: string, sessionId: string): RecordedMessage =>
  entry("received", {
    method: "session/update",
    params: { sessionId, update: { sessionUpdate: "tool_call", toolCallId: id, title, status: "pending" } },
  });
const told = (left: RecordedMessage[], right: RecordedMessage[]): string[] =>
  compareRecordings(left, right).rows.map(({ status, kind, session, turn }) => `${status} ${session}.${turn} ${kind}`);

test("compareRecordings() aligns tool calls by their titles, and names what only one side has", () => {
  const left = connection({ a: [call("1", "Read", "a"), call("2", "Edit", "a"), chunk("Done", "a")] });
  const right = connection({ b: [call("x", "Edit", "b"), call("y", "Test", "b"), chunk("Do", "b"), chunk("ne", "b")] });
  expect(told(left, right).slice(3)).toEqual([
    "left 1.1 session/update tool_call pending",
    "same 1.1 session/update tool_call pending",
    "right 1.1 session/update tool_call pending",
    "same 1.1 session/update agent_message_chunk",
    "same 1.1 session/prompt answer",
  ]);
});

test("compareRecordings() compares sessions with each other, in whatever order their messages came", () => {
  const [one, other] = [chunk("one", "a"), chunk("other", "b")];
  const left = connection({ a: [one, other, one], b: [other] });
  const right = connection({ a: [other, one, one], b: [other] });
  expect(compareRecordings(left, right).differences).toBe(0);
});

test("compareRecordings() tells the members that differ, and how much slower an answer was", () => {
  const left = connection({
    a: [entry("received", { id: "q", method: "fs/read_text_file", params: { path: "/a~b" } })],
  });
  const right = connection(
    { a: [entry("received", { id: 7, method: "fs/read_text_file", params: { path: "/c", "a/b": 1 } })] },
    40,
  );
  const rows = compareRecordings(left, right).rows;
  expect(rows.find(({ status }) => status === "changed")).toMatchObject({
    kind: "fs/read_text_file",
    changes: [
      { path: "/path", left: '"/a~b"', right: '"/c"' },
      { path: "/a~1b", left: undefined, right: "1" },
    ],
  });
  expect(rows.at(-1)).toMatchObject({
    kind: "session/prompt answer",
    ratio: 4,
    left: { took: 20 },
    right: { took: 80 },
  });
});

test("compareRecordings() cuts a long member to where it differs", () => {
  const same = "same ".repeat(1_000);
  const [left, right] = ["left", "right"].map((end) => [
    opening,
    entry("received", { method: "_x", params: { text: same + end } }),
  ]);
  const [, change] = compareRecordings(left!, right!).rows;
  expect(change?.changes[0]?.left).toMatch(/^….{56,60}left"$/u);
  expect(change?.changes[0]?.right).toMatch(/^….{56,60}right"$/u);
});

test("compareRecordings() of recordings that have nothing in common, or of none, ends", () => {
  const many = (word: string): RecordedMessage[] =>
    Array.from({ length: 5_000 }, (_, index) => entry("received", { method: `_${word}${index}`, params: { index } }));
  expect(compareRecordings([opening, ...many("a")], [opening, ...many("b")]).differences).toBe(10_000);
  expect(compareRecordings([], []).rows).toEqual([]);
  let deep: unknown = 1;
  for (let level = 0; level < 400; level++) deep = { deep };
  const odd = [entry("received", { result: deep }), { ...opening, message: "no JSON" }, { ...opening, message: null }];
  expect(compareRecordings(odd, odd).differences).toBe(0);
});
