import { expect, test } from "vitest";
import { readRetryAfter } from "./retry-after.ts";

test.each([
  [{ "retry-after": "2" }, 2000],
  [{ "Retry-After": "0.5" }, 500],
  [{ "retry-after": "9", "retry-after-ms": "250" }, 250],
  [{ "retry-after": "Thu, 01 Jan 1970 00:00:07 GMT" }, 6000],
  [{ "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }, 0],
  [{ "retry-after": "soon" }, undefined],
  [{}, undefined],
])("%o", (headers, wait) => {
  expect(readRetryAfter(headers, 1000)).toBe(wait);
});
