import { expect, test } from "vitest";

import { errorLine } from "./error-lines.ts";

test("errorLine() puts a diagnostic with its error into one line, with what it says once, and where it was thrown", () => {
  const error = new TypeError("first\nsecond");
  error.stack = `TypeError: first\nsecond\r\n${Array.from({ length: 9 }, (_, at) => `    at f${at} (a.js:1:1)`).join("\n")}`;
  const failed = {
    type: "handler-failed",
    level: "error",
    method: "session/prompt",
    error,
    correlationId: "1",
  } as const;
  expect(errorLine({ ...failed, message: "The handler of session/prompt failed (1): first\nsecond" })).toBe(
    "[acp] handler-failed: The handler of session/prompt failed (1): first | second (TypeError) | at f0 (a.js:1:1) | at f1 (a.js:1:1) | at f2 (a.js:1:1)",
  );
  expect(errorLine({ ...failed, message: "The handler threw" })).toMatch(
    /^\[acp\] handler-failed session\/prompt: The handler threw: TypeError: first \| second \| at f0 /u,
  );
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
