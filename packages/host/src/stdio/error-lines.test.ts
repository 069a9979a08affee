import { expect, test } from "vitest";

import { errorLine } from "./error-lines.ts";

test("errorLine() puts a diagnostic with its error into one line, without repetition, and with the place of the throw", () => {
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

test("errorLine() shows a thrown value that is not an Error", () => {
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

test("errorLine() survives an error whose own properties throw", () => {
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
  expect(line).toBe("[acp] handler-failed a: The handler threw: a value that cannot be shown");
});

function lineOf(message: string): string {
  return errorLine({
    type: "handler-failed",
    level: "error",
    message,
    method: "a",
    error: message,
    correlationId: "4",
  });
}

test("errorLine() escapes control characters of a terminal", () => {
  expect(lineOf("a\u001B]0;title\u0007\u009B2J\u202Eb\u2028\tc\0")).toBe(
    String.raw`[acp] handler-failed a: a\u001b]0;title\u0007\u009b2J\u202eb\u2028${"\t"}c\u0000`,
  );
});

test("errorLine() leaves out empty lines, and takes a long text of spaces in one go", () => {
  const spaces = " ".repeat(200_000);
  expect(lineOf(`a${spaces}b\r\n \n\n\tc \n`)).toBe(`[acp] handler-failed a: a${spaces}b | c`);
});
