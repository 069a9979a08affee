import { describe, expect, it } from "vitest";
import { ProtocolError, RequestError } from "./errors.ts";

const received = (message: string, data?: unknown): string =>
  new RequestError({ code: -32602, message, data }, { method: "session/new" }).message;

describe("new RequestError()", () => {
  it.each([
    [undefined, "session/new: Invalid params (-32602)"],
    [{ path: "/cwd", reason: "is missing" }, "session/new: Invalid params: /cwd is missing (-32602)"],
    [{ reason: "not now" }, "session/new: Invalid params: not now (-32602)"],
    [{ correlationId: "k3-1" }, "session/new: Invalid params: k3-1 (-32602)"],
    [{ method: "fs/find" }, "session/new: Invalid params: fs/find (-32602)"],
    [{ message: "No quota", details: "until\nMonday" }, "session/new: Invalid params: No quota; until Monday (-32602)"],
    ["cwd is missing", "session/new: Invalid params: cwd is missing (-32602)"],
    // Nothing that can be told in words, or that is told already.
    [{ reason: { code: 5 }, path: 5, details: "" }, "session/new: Invalid params (-32602)"],
    [{ method: "session/new", message: "Invalid params" }, "session/new: Invalid params (-32602)"],
    [["x"], "session/new: Invalid params (-32602)"],
    [null, "session/new: Invalid params (-32602)"],
  ])("puts what a received error has in data, %j, into its message", (data, message) => {
    expect(received("Invalid params", data)).toBe(message);
  });

  it("leaves out the code of a login that is required, which its message has in words", () => {
    expect(received("Authentication required", { reason: "auth_required" })).toBe(
      "session/new: Authentication required (-32602)",
    );
  });

  it("bounds what it takes from data", () => {
    const message = received("Failed", { details: "x".repeat(100_000) });
    expect(message).toMatch(/^session\/new: Failed: x+… \(-32602\)$/);
    expect(message.length).toBeLessThan(400);
  });

  it("leaves the message of one that a handler throws as it is", () => {
    expect(RequestError.invalidParams("No such page", { path: "/cursor", reason: "is unknown" }).message).toBe(
      "No such page",
    );
  });
});

describe("new ProtocolError()", () => {
  it("keeps what the peer meant to say in an error that is none", () => {
    const odd = { code: "E_QUOTA", message: "Your quota is exhausted" };
    const error = new ProtocolError("session/prompt", ["error", "code"], "expected an integer", odd);
    expect(error.received).toBe(odd);
    expect(error.message).toBe(
      "session/prompt: /error/code: expected an integer; the answer says: Your quota is exhausted",
    );
  });
});
