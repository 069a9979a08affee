import { RequestError } from "@acp/core";
import { describe, expect, test } from "vitest";

import { describeFailure, describeSilence } from "./failure.ts";

const logins = [
  { id: "key", name: "By a key", description: "Set KEY first,\nthen start again" },
  { id: "guest", name: "As a guest" },
];
const refused = (data: unknown, method = "session/new"): RequestError =>
  new RequestError({ code: -32000, message: "Log in, please", data }, { method });

describe("describeFailure()", () => {
  test("lists the ways to log in with what is said of them, once", () => {
    const data = { reason: "auth_required", authMethods: logins };
    expect(describeFailure(refused(data), logins).split("\n")).toEqual([
      "session/new: Log in, please (-32000)",
      "Log in first:",
      "  --login key   By a key  Set KEY first, then start again",
      "  --login guest   As a guest",
    ]);
  });

  test("shows what else stands beside the logins", () => {
    const lines = describeFailure(refused({ authMethods: logins, expired: 5 }), logins).split("\n");
    expect(lines[1]).toBe('  {"expired":5}');
  });

  test("keeps the details where there is no list", () => {
    expect(describeFailure(refused({ authMethods: logins }))).toContain('{"authMethods":[');
    const other = new RequestError({ code: -32603, message: "Failed", data: { authMethods: [] } }, { method: "x" });
    expect(describeFailure(other, logins)).toBe('x: Failed (-32603)\n  {"authMethods":[]}');
  });

  test("lists no logins after one that failed", () => {
    expect(describeFailure(refused(undefined, "authenticate"), logins)).toBe("authenticate: Log in, please (-32000)");
  });

  test("lets no escape sequence through", () => {
    const odd = [{ id: "a", name: "\u001b[2JA", description: "b\rc" }];
    const said = describeFailure(refused(undefined), odd);
    expect(said).not.toContain("\u001b");
    expect(said).not.toContain("\r");
  });

  test("tells where there is more about an error that has an id", () => {
    const error = new RequestError({ code: -32603, message: "Internal error", data: { correlationId: "a-1" } });
    expect(describeFailure(error)).toMatch(/"a-1"[^]*under this id\. Run again with --verbose/u);
    expect(describeFailure(new RequestError({ code: -32603, message: "No" }))).not.toContain("--verbose");
  });
});

describe("describeSilence()", () => {
  test("tells what came instead of messages, and of framings", () => {
    expect(describeSilence("Listening", "ndjson")).toMatch(/only for messages: Listening\n.*ndjson.*--framing$/u);
    expect(describeSilence(undefined, "ndjson")).not.toContain("wrote");
  });
});
