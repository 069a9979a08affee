import type { ModelMessage } from "ai";
import { expect, test } from "vitest";
import { answerOpenCalls } from "./answer-open-calls.ts";

const call = (toolCallId: string): ModelMessage => ({
  role: "assistant",
  content: [{ type: "tool-call", toolCallId, toolName: "read", input: {} }],
});
const result = (toolCallId: string, value = "ok"): ModelMessage => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, toolName: "read", output: { type: "text", value } }],
});
const answer = (toolCallId: string): ModelMessage => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId, toolName: "read", output: { type: "error-text", value: "Lost" } }],
});
const user: ModelMessage = { role: "user", content: "Go on" };

test("a history in which every call has its result stays as it is", () => {
  const messages = [user, call("a"), result("a"), user];
  expect(answerOpenCalls(messages, "Lost")).toEqual([]);
  expect(messages).toEqual([user, call("a"), result("a"), user]);
});

test("a call without a result gets one right after it", () => {
  const messages = [call("a"), user, call("b"), result("b"), call("a")];
  expect(answerOpenCalls(messages, "Lost")).toEqual([answer("a"), answer("a")]);
  expect(messages).toEqual([call("a"), answer("a"), user, call("b"), result("b"), call("a"), answer("a")]);
});
