import { RequestError } from "@acp/core";
import { describe, expect, test } from "vitest";

import { failureReason } from "./failure-reason.ts";

describe("failureReason()", () => {
  test.each([
    ["an error", new Error("No such file"), "No such file"],
    ["a request that was refused", RequestError.internalError("The disk is full"), "The disk is full"],
    ["what is no error", "stop", "stop"],
    [
      "an error and its cause",
      new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:1") }),
      "fetch failed: connect ECONNREFUSED 127.0.0.1:1",
    ],
    [
      "a cause with several errors and no message",
      new TypeError("fetch failed", { cause: new AggregateError([new Error("no ::1"), new Error("no 127.0.0.1")]) }),
      "fetch failed: no ::1, no 127.0.0.1",
    ],
    ["a cause that was told already", new Error("Failed: refused", { cause: new Error("refused") }), "Failed: refused"],
  ])("tells %s", (_, error, reason) => {
    expect(failureReason(error)).toBe(reason);
  });
});
