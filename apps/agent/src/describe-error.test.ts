import { RequestError } from "@acp/core";
import { describe, expect, test } from "vitest";

import { describeError } from "./describe-error.ts";

describe("describeError()", () => {
  test.each([
    ["an error", new Error("No such file"), "No such file"],
    ["the error of a request", RequestError.internalError("The disk is full"), "The disk is full"],
    ["a value that is not an error", "stop", "stop"],
    [
      "an error with a cause",
      new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:1") }),
      "fetch failed: connect ECONNREFUSED 127.0.0.1:1",
    ],
    [
      "an error whose cause has several errors and no message",
      new TypeError("fetch failed", { cause: new AggregateError([new Error("no ::1"), new Error("no 127.0.0.1")]) }),
      "fetch failed: no ::1, no 127.0.0.1",
    ],
    [
      "an error that already contains its cause",
      new Error("Failed: refused", { cause: new Error("refused") }),
      "Failed: refused",
    ],
  ])("describes %s", (_, error, reason) => {
    expect(describeError(error)).toBe(reason);
  });
});
