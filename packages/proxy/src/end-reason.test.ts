import { ConnectionClosedError, ProcessExitError } from "@acp/core";
import { describe, expect, test } from "vitest";
import { endReason } from "./end-reason.ts";

const exit = (exitCode: number | null, signal: string | null): ProcessExitError =>
  new ProcessExitError("my-agent --key secret ended: secret", { exitCode, signal, stderr: "secret" });

/** An error as it comes from a start, or from a socket. */
const failed = (members: object): Error => Object.assign(new Error("secret"), members);

describe("endReason()", () => {
  test.each([
    ["the exit code of a process", exit(3, null), " (exit code 3)"],
    ["its signal", exit(null, "SIGKILL"), " (SIGKILL)"],
    ["nothing of a process that has neither", exit(null, null), ""],
    ["what could not be started", failed({ reason: "ENOENT", command: "my-agent" }), " (ENOENT: my-agent)"],
    ["the code of an error of the system", failed({ code: "ECONNREFUSED" }), " (ECONNREFUSED)"],
    ["the cause of an end", new ConnectionClosedError("secret", { cause: exit(1, null) }), " (exit code 1)"],
    ["no text", failed({ reason: "Enter secret", code: "secret", command: "secret" }), ""],
    ["nothing of what is no error", { code: "ENOENT" }, ""],
  ])("tells %s", (_, error, told) => {
    expect(endReason(error)).toBe(told);
  });

  test("comes to an end with errors that are their own cause", () => {
    const error = new Error("secret");
    error.cause = error;
    expect(endReason(error)).toBe("");
  });
});
