import {
  CapabilityError,
  ConnectionClosedError,
  ProcessExitError,
  ProtocolError,
  RequestError,
  TimeoutError,
} from "@acp/core";
import { describe, expect, test } from "vitest";
import { ProcessStartError } from "#runtime";

import { ExitCode, ProgramFailure } from "../cli/exit.ts";
import { classifyFailure, createFailure, failureText } from "./failure.ts";

const logins = [
  { id: "key", name: "By a key", description: "Set KEY first,\nthen start again" },
  { id: "guest", name: "As a guest" },
];
const refused = (data: unknown, method = "session/new"): RequestError =>
  new RequestError({ code: -32000, message: "Log in, please", data }, { method });
const exited = (exitCode: number, message: string): ProcessExitError =>
  new ProcessExitError(message, { exitCode, signal: null, stderr: "" });

describe("classifyFailure()", () => {
  test("names the program without its arguments, and has one heading for its stderr", () => {
    const message = "env KEY=secret /bin/node a.js";
    const process = {
      command: "env",
      args: ["KEY=secret", "/bin/node", "a.js"],
      pid: 5,
      event: "exited with code 3",
      quoted: ["why"],
    };
    const exit = { exitCode: 3, signal: null, stderr: "why" };
    const failure = classifyFailure(new ProcessExitError(message, exit, { process }));
    const line = "The agent process node (pid 5) exited with code 3";
    expect(failureText(failure)).toBe(`${line}\n  Below is the end of its stderr\n  why`);
    const event = "did not answer initialize within 5 ms";
    const late = classifyFailure(new TimeoutError("initialize", 5, message, { ...process, event }));
    expect(failureText(late)).toMatch(
      /^node \(pid 5\) did not answer initialize within 5 ms\n[^]*\nThe end of its stderr:\n {2}why$/u,
    );
    const closed = new ConnectionClosedError(message, { process: { ...process, event: "closed its stdout" } });
    expect(failureText(classifyFailure(closed))).toMatch(
      /^The agent process node \(pid 5\) closed its stdout\n[^]*\nThe end of its stderr:\n {2}why$/u,
    );
  });

  test.each([
    [new ProcessStartError("no", "agent", "ENOENT"), "not_started", 6, "There is no program 'agent' on PATH"],
    [new ProcessStartError("no", "./agent", "ENOENT"), "not_started", 6, "There is no program ./agent"],
    [new ProcessStartError("no", "./agent", "EACCES"), "not_started", 6, "./agent may not be executed"],
    [new ProcessStartError("Odd", "agent", "EIO"), "not_started", 6, "Odd"],
    [exited(3, "It exited with code 3\nThe end of its stderr:\n  why"), "agent_ended", 6, "It exited with code 3"],
    [new ConnectionClosedError("Closed"), "agent_ended", 6, "Closed"],
    [new ProtocolError("initialize", ["result"], "no object"), "not_acp", 7, "initialize: /result: no object"],
    [
      new RequestError({ code: -32601, message: "No" }, { method: "initialize" }),
      "not_acp",
      7,
      "initialize: No (-32601)",
    ],
    [
      new RequestError({ code: -32022, message: "No" }, { method: "initialize" }),
      "unsupported_version",
      7,
      "initialize: No (-32022)",
    ],
    [new TimeoutError("initialize", 5, "Too late"), "timeout", 8, "Too late"],
    [refused(undefined), "login_needed", 9, "session/new: Log in, please (-32000)"],
    [refused(undefined, "session/prompt"), "login_needed", 9, "session/prompt: Log in, please (-32000)"],
    [
      new RequestError({ code: -32002, message: "No" }, { method: "session/load" }),
      "no_such_session",
      10,
      "session/load: No (-32002)",
    ],
    [
      new RequestError({ code: -1, message: "Session x not found" }, { method: "session/resume" }),
      "no_such_session",
      10,
      "session/resume: Session x not found (-1)",
    ],
    [new CapabilityError("session/load", "loadSession", "It cannot load"), "no_such_session", 10, "It cannot load"],
    [
      new RequestError({ code: -32002, message: "No" }, { method: "session/prompt" }),
      "request_failed",
      1,
      "session/prompt: No (-32002)",
    ],
    [new ProgramFailure("Bad file", ExitCode.configuration, "Mend it"), "configuration", 11, "Bad file"],
    ["thrown", "failure", 1, "thrown"],
  ])("%s is %s, and ends with %i", (error, code, exitCode, message) => {
    expect(classifyFailure(error)).toMatchObject({ code, exitCode, message });
  });

  test("takes a program that prints text for another one than an agent", () => {
    const late = classifyFailure(new TimeoutError("initialize", 5, "Too late"), { noise: "Listening" });
    expect(late).toMatchObject({ code: "not_acp", details: ["Its first line: Listening"] });
    expect(classifyFailure(exited(0, "Ended"), { noise: "hi" })).toMatchObject({ code: "not_acp", exitCode: 7 });
    expect(classifyFailure(exited(1, "Ended"), { noise: "no key" })).toMatchObject({ code: "agent_ended" });
  });

  test("advises what helps in a chat that goes on, and nothing that the user has done", () => {
    const late = new TimeoutError("session/new", 5, "Too late");
    expect(classifyFailure(late, { canRestart: true }).advice).toBe(
      "/restart starts the agent again; --start-timeout gives it longer; --verbose shows what it prints",
    );
    expect(classifyFailure(late, { isVerbose: true }).advice).toBe("Give it longer with --start-timeout");
    const closed = classifyFailure(new ConnectionClosedError("Gone"), { isVerbose: true });
    expect(closed.advice).toBe("What the agent prints is above");
  });

  test("lists the ways to log in once, with their descriptions", () => {
    const data = { reason: "auth_required", authMethods: logins };
    expect(failureText(classifyFailure(refused(data), { logins })).split("\n")).toEqual([
      "session/new: Log in, please (-32000)",
      "  Log in first, with one of:",
      "  --login key     By a key  Set KEY first, then start again",
      "  --login guest   As a guest",
    ]);
  });

  test("shows the other details next to the logins", () => {
    const { details } = classifyFailure(refused({ authMethods: logins, expired: 5 }), { logins });
    expect(details.at(-1)).toBe('  {"expired":5}');
  });

  test("keeps the details when there is no list of logins", () => {
    expect(failureText(classifyFailure(refused({ authMethods: logins })))).toContain('{"authMethods":[');
    const other = new RequestError({ code: -32603, message: "Failed", data: { authMethods: [] } }, { method: "x" });
    expect(classifyFailure(other, { logins }).details).toEqual(['  {"authMethods":[]}']);
  });

  test("lists no logins after one that failed", () => {
    const failure = classifyFailure(refused(undefined, "authenticate"), { logins });
    expect(failure).toMatchObject({
      code: "login_needed",
      message: "authenticate: Log in, please (-32000)",
      details: [],
    });
  });

  test("lets no escape sequence through", () => {
    const odd = [{ id: "a", name: "\u001b[2JA", description: "b\rc" }];
    const said = failureText(classifyFailure(refused({ more: "\u001b[2J" }), { logins: odd }));
    expect(said).not.toContain("\u001b");
    expect(said).not.toContain("\r");
    expect(createFailure("failure", "a\u001b[2J\nb", "c\u009b2J", ["d\u001b[2J"])).toMatchObject({
      message: "a",
      advice: "c",
      details: ["b", "d"],
    });
  });

  test("reports where there is more about an error that has an id", () => {
    const error = new RequestError({ code: -32603, message: "Internal error", data: { correlationId: "a-1" } });
    expect(failureText(classifyFailure(error))).toMatch(/under this id\. Run again with --verbose[^]*"a-1"/u);
  });
});
