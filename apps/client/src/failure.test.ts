import { RequestError } from "@acp/core";
import { describe, expect, test } from "vitest";

import { describeFailure, describeSilence } from "./failure.ts";

describe("describeFailure()", () => {
  test("tells where there is more about an error that has an id", () => {
    const error = new RequestError({ code: -32603, message: "Internal error", data: { correlationId: "a-1" } });
    expect(describeFailure(error)).toMatch(/"a-1"[^]*under this id in its stderr: --verbose/u);
    expect(describeFailure(new RequestError({ code: -32603, message: "No" }))).not.toContain("--verbose");
  });
});

describe("describeSilence()", () => {
  test("tells what came instead of messages, and of framings", () => {
    expect(describeSilence("Listening", "ndjson")).toMatch(/began with: Listening\n.*ndjson.*--framing$/u);
    expect(describeSilence(undefined, "ndjson")).not.toContain("began");
  });
});
