import type { EntryBody } from "@acp/hub";
import { inspectRecording } from "@acp/inspect";
import { traceHtml } from "@acp/inspect/html";
import { expect, test } from "vitest";

import { JournalRecording } from "./journal-recording.ts";

function recordingOf(bodies: readonly EntryBody[]): JournalRecording["entries"] {
  const recording = new JournalRecording("s-1");
  for (const [at, body] of bodies.entries()) recording.add({ ...body, n: at + 1, epoch: 1, at: 1_000 * at });
  return recording.entries;
}

const text = (words: string): object => ({ type: "text", text: words });
const keeper = (version: 1 | 2, setup: object = {}): EntryBody => ({
  t: "keeper",
  keeper: "k",
  agent: { version, sessionId: "own", info: { name: "agent", version: "1" }, capabilities: {}, setup },
});
const toolCall = { toolCallId: "c", title: "Delete", status: "pending" };
const options = [{ optionId: "no", name: "No", kind: "reject_once" }];

test("a journal becomes the messages of a client that saw all of it, and nothing in them is wrong", async () => {
  const entries = recordingOf([
    keeper(1),
    { t: "message", key: "a", v: 1, prompt: [text("Go")] },
    { t: "state", state: { state: "running" }, key: "a" },
    { t: "update", v: 1, update: { sessionUpdate: "agent_message_chunk", content: text("Hi") } },
    { t: "ask", id: "q", v: 1, method: "session/request_permission", params: { sessionId: "own", toolCall, options } },
    { t: "answered", id: "q", outcome: { type: "permission", outcome: { outcome: "selected", optionId: "no" } } },
    { t: "state", state: { state: "idle", response: { stopReason: "end_turn" } }, key: "a" },
    { t: "ended" },
    keeper(1),
    { t: "message", key: "b", v: 1, prompt: [text("Again")] },
    { t: "state", state: { state: "idle", error: { code: -32603, message: "The agent ended" } }, key: "b" },
    { t: "notice", text: "Somebody left" },
  ]);
  const { messages, unanswered } = inspectRecording(entries);
  expect(unanswered).toEqual([]);
  expect(messages.map(({ from, method, kind }) => `${from} ${method} ${kind}`)).toEqual([
    "client initialize request",
    "agent initialize result",
    "client session/new request",
    "agent session/new result",
    "client session/prompt request",
    "agent session/update notification",
    "agent session/request_permission request",
    "client session/request_permission result",
    "agent session/prompt result",
    "agent _hub/ended notification",
    "agent _hub/opened_again notification",
    "client session/prompt request",
    "agent session/prompt error",
    "agent _hub/notice notification",
  ]);
  expect(messages.flatMap(({ findings }) => findings.filter(({ isHint }) => isHint !== true))).toEqual([]);
  expect(await traceHtml(entries)).toContain("<!doctype html>");
});

test("a journal of version 2 has the states of its session as updates", () => {
  const entries = recordingOf([
    keeper(2),
    { t: "message", key: "a", v: 2, prompt: [text("Go")] },
    { t: "state", state: { state: "running" }, key: "a" },
    { t: "state", state: { state: "idle", response: { stopReason: "end_turn" } }, key: "a" },
  ]);
  expect(entries.slice(5).map(({ message }) => message)).toMatchObject([
    { id: "a", result: { messageId: "a" } },
    { params: { update: { sessionUpdate: "state_update", state: "running" } } },
    { params: { update: { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" } } },
  ]);
});
