import { APICallError, RetryError } from "ai";
import { expect, test } from "vitest";
import { describeModelError } from "./describe-model-error.ts";

const secret = "sk-SECRET";

function call(statusCode: number | undefined, body = secret, isRetryable?: boolean): APICallError {
  return new APICallError({
    message: secret,
    url: `https://${secret}.example.com`,
    requestBodyValues: { prompt: secret },
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(isRetryable === undefined ? {} : { isRetryable }),
    responseBody: body,
    cause: new Error(secret),
  });
}

test.each([
  ["a wrong key", call(401), "auth", false],
  ["no credit", call(429, '{"error":{"code":"insufficient_quota"}}'), "quota", false],
  ["too many requests", call(429), "rate_limit", true],
  ["too long a conversation", call(400, `prompt is too long: ${secret}`), "too_long", false],
  ["an overload", call(529), "overloaded", true],
  ["no connection", call(undefined, secret, true), "network", true],
  [
    "what ai gives up",
    new RetryError({ message: secret, reason: "maxRetriesExceeded", errors: [call(500)] }),
    "server",
    true,
  ],
  ["an error in the stream of Anthropic", { type: "overloaded_error", message: secret }, "overloaded", true],
  ["an error in the stream of OpenAI", { message: secret, type: "server_error", code: null }, "server", true],
  ["a lost connection of undici", new TypeError("terminated"), "broken_off", true],
  ["a lost connection of Deno", new TypeError("error reading a body from connection"), "broken_off", true],
  ["a lost connection of Bun", Object.assign(new Error(secret), { code: "ECONNRESET" }), "broken_off", true],
  ["a mistake of the agent", new TypeError(`${secret} is not a function`), "unknown", false],
  ["a text", secret, "unknown", false],
])("%s", (_name, error, kind, isRetryable) => {
  const described = describeModelError(error);
  expect(described).toMatchObject({ kind, isRetryable });
  expect(described.message).toMatch(/^[^\n]+\. [^\n]+\.$/u);
  expect(
    JSON.stringify([described, described.wire, described.message, described.cause, described.stack]),
  ).not.toContain(secret);
});
