import { expect, test } from "vitest";

import { errorLine } from "./error-lines.ts";

test("errorLine() puts a diagnostic with its error into one line", () => {
  const error = new TypeError("first\nsecond");
  error.stack = "TypeError: first\nsecond\r\n    at somewhere";
  const line = errorLine({
    type: "handler-failed",
    level: "error",
    message: "The handler threw",
    method: "session/prompt",
    error,
    correlationId: "1",
  });
  expect(line).toBe("[acp] handler-failed session/prompt: The handler threw: TypeError: first | second | at somewhere");
});

test("errorLine() shows what was thrown even if it is no error", () => {
  const line = errorLine({
    type: "unsendable",
    level: "error",
    message: "Too large",
    method: "a",
    error: { toString: () => "odd" },
    correlationId: "2",
  });
  expect(line).toBe("[acp] unsendable a: Too large: odd");
});

test("errorLine() survives what throws itself when it is looked at", () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const line = errorLine({
    type: "handler-failed",
    level: "error",
    message: "The handler threw",
    method: "a",
    error: proxy,
    correlationId: "3",
  });
  expect(line).toBe("[acp] handler-failed a: The handler threw: something that cannot be shown");
});
