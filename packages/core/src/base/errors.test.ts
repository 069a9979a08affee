import { describe, expect, it, vi } from "vitest";
import {
  AcpError,
  ConnectionClosedError,
  ProcessExitError,
  ProtocolError,
  RequestError,
  UsageError,
} from "./errors.ts";
import { invalidParams } from "../rpc/wire-errors.ts";

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
    [{ error: { message: "No quota", code: "quota" } }, "session/new: Invalid params: No quota (-32602)"],
    [{ error: "No quota" }, "session/new: Invalid params: No quota (-32602)"],
    ["cwd is missing", "session/new: Invalid params: cwd is missing (-32602)"],
    // Nothing that words can describe, or that was already reported.
    [{ reason: { code: 5 }, path: 5, details: "" }, "session/new: Invalid params (-32602)"],
    [{ method: "session/new", message: "Invalid params" }, "session/new: Invalid params (-32602)"],
    [{ error: null }, "session/new: Invalid params (-32602)"],
    [{ error: { message: { code: 5 } } }, "session/new: Invalid params (-32602)"],
    [["x"], "session/new: Invalid params (-32602)"],
    [null, "session/new: Invalid params (-32602)"],
  ])("puts a received error's data, %j, into its message", (data, message) => {
    expect(received("Invalid params", data)).toBe(message);
  });

  it.each([
    [invalidParams("/modeId", "is none of those that are offered"), "/modeId is none of those that are offered"],
    [invalidParams("", "expected an object"), "expected an object"],
  ])("mentions a detail only once if it is in the message and in data of %j", ({ message, data }, said) => {
    expect(message).toBe(`Invalid params: ${said}`);
    expect(received(message, data)).toBe(`session/new: Invalid params: ${said} (-32602)`);
  });

  it("leaves out the code of a login that is required, which its message has in words", () => {
    expect(received("Authentication required", { reason: "auth_required" })).toBe(
      "session/new: Authentication required (-32602)",
    );
  });

  it("limits the length of text from data", () => {
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

describe("RequestError", () => {
  // As in JavaScript, by whoever is used to other arguments.
  const Untyped: new (...args: readonly unknown[]) => RequestError = RequestError as never;
  const functions = RequestError as unknown as Record<string, (...args: readonly unknown[]) => RequestError>;
  const takes = "RequestError takes { code, message, data }; its functions (message, data)";

  it.each([
    ["new", () => new Untyped(-32602, "No such page")],
    ["new", () => new Untyped({ message: "No such page" })],
    ["new", () => new Untyped()],
    ["invalidParams", () => functions["invalidParams"]?.({ path: "/cursor" }, "No such page")],
    ["resourceNotFound", () => functions["resourceNotFound"]?.()],
    ["authRequired", () => functions["authRequired"]?.({ reason: "auth_required" })],
    ["internalError", () => functions["internalError"]?.(new Error("No such page"))],
  ])("names the expected arguments when it gets others: %s", (_name, make) => {
    expect(make).toThrow(UsageError);
    expect(make).toThrow(takes);
  });
});

describe("new ProtocolError()", () => {
  it("keeps the peer's explanation in a malformed error", () => {
    const odd = { code: "E_QUOTA", message: "Your quota is exhausted" };
    const error = new ProtocolError("session/prompt", ["error", "code"], "expected an integer", odd);
    expect(error.received).toBe(odd);
    expect(error.message).toBe(
      "session/prompt: /error/code: expected an integer; the answer says: Your quota is exhausted",
    );
  });
});

describe("an error", () => {
  it("has the name of its class in its stack, and as no member", () => {
    const error = new UsageError("Not so");
    expect([error.name, String(error)]).toEqual(["UsageError", "UsageError: Not so"]);
    expect(error.stack).toMatch(/^UsageError: Not so\n/);
    expect(Object.keys(error)).toEqual(["code"]);
  });

  it("may be given another name, and a class that extends one a field for it", () => {
    const error = new UsageError("Not so");
    error.name = "Refused";
    expect(String(error)).toBe("Refused: Not so");
    class Mine extends RequestError {
      override name = "Mine";
    }
    expect(new Mine({ code: 1, message: "m" }).name).toBe("Mine");
  });

  it("has no member for an absent value", () => {
    expect(Object.getOwnPropertyNames(RequestError.internalError("Failed")).toSorted()).toEqual(
      ["code", "message", "stack", "wire"].toSorted(),
    );
    expect(Object.keys(RequestError.internalError("Failed").wire)).toEqual(["code", "message"]);
    expect(new ProtocolError("session/new", [], "is odd")).not.toHaveProperty("received");
    const cause = new Error("The reason");
    expect(new RequestError({ code: 1, message: "m" }, { method: "session/new", cause })).toMatchObject({
      cause,
      method: "session/new",
    });
  });
});

it("serializes name and message as JSON with its own members", () => {
  const exited = new ProcessExitError("It ended", { exitCode: 1, signal: null, stderr: "out of memory" });
  const message = "It ended";
  const details = { code: "process_exited", exitCode: 1, signal: null, stderr: "out of memory" };
  expect(JSON.parse(JSON.stringify(exited))).toEqual({ name: "ProcessExitError", message, ...details });
});

describe("instanceof", async () => {
  vi.resetModules();
  const other = await import("./errors.ts");

  it("holds for errors of another copy, by class and by the classes it extends", () => {
    expect(other.RequestError).not.toBe(RequestError);
    const exited = new other.ProcessExitError("It ended", { exitCode: 1, signal: null, stderr: "" });
    const classes = [AcpError, ConnectionClosedError, ProcessExitError, RequestError, UsageError];
    expect(classes.map((each) => exited instanceof each)).toEqual([true, true, true, false, false]);
    class Theirs extends other.RequestError {}
    expect(new Theirs({ code: 1, message: "m" })).toBeInstanceOf(RequestError);
  });

  it("means the class itself where a program extends one", () => {
    class Mine extends RequestError {}
    const mine = new Mine({ code: 1, message: "m" });
    const all = [mine, RequestError.internalError("m"), other.RequestError.internalError("m")];
    expect(all.map((error) => error instanceof Mine)).toEqual([true, false, false]);
    expect(all.map((error) => error instanceof RequestError)).toEqual([true, true, true]);
  });

  it("is false for everything else", () => {
    const bare: unknown = Object.create(null);
    for (const value of [undefined, null, "RequestError", {}, bare, new Error("RequestError"), RequestError])
      expect(value instanceof RequestError).toBe(false);
  });
});
