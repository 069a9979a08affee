import { describe, expect, test } from "vitest";
import * as v1 from "./v1/index.ts";
import * as v1Unstable from "./v1/unstable/index.ts";
import * as v2 from "./v2/index.ts";
import * as v2Unstable from "./v2/unstable/index.ts";

const chunk = (content: unknown): unknown => ({
  sessionId: "s",
  update: { sessionUpdate: "agent_message_chunk", messageId: "m", content },
});

describe("validate()", () => {
  test("CHK-06/both: accepts a message of the schema, unknown members included", () => {
    expect(v1.validate("ContentBlock", { type: "text", text: "hi", "x-vendor": 1, _meta: { a: [null] } })).toEqual({
      ok: true,
    });
  });

  test("CHK-06/both: names the place and the kind of value when a member is of the wrong type", () => {
    expect(v1.validate("ContentBlock", { type: "text", text: 5 })).toEqual({
      ok: false,
      errors: [{ path: "/text", reason: "expected a string, got a number" }],
    });
  });

  test("CHK-06/both: names the member when it is missing", () => {
    expect(v1.validate("Implementation", { name: "x" })).toEqual({
      ok: false,
      errors: [{ path: "/version", reason: "is required" }],
    });
  });

  test("CHK-06/both: lists all that is wrong when several things are", () => {
    expect(v1.validate("Implementation", { title: 1, version: [] })).toEqual({
      ok: false,
      errors: [
        { path: "/name", reason: "is required" },
        { path: "/title", reason: "expected a string or null, got a number" },
        { path: "/version", reason: "expected a string, got an array" },
      ],
    });
  });

  test("CHK-06/both: rejects values that a tolerant reader would replace", () => {
    expect(v1.validateResult("initialize", { protocolVersion: 1, agentCapabilities: { loadSession: "yes" } })).toEqual({
      ok: false,
      errors: [{ path: "/agentCapabilities/loadSession", reason: "expected a boolean, got a string" }],
    });
  });

  test("holds a server with a known type to that type when the schema alone would take it for a stdio one", () => {
    const server = { type: "http", name: "x", command: "/bin/x", args: [], env: [] };
    expect(v1.validate("McpServer", server)).toEqual({
      ok: false,
      errors: [
        { path: "/url", reason: "is required" },
        { path: "/headers", reason: "is required" },
      ],
    });
    expect(v1.validate("McpServer", { ...server, type: "_acme" })).toEqual({ ok: true });
  });

  test("keeps to one reason when the tag of a union is unknown", () => {
    const checked = v1.validateNotification("session/update", {
      sessionId: "s",
      update: { sessionUpdate: "nonsense" },
    });
    expect(checked).toEqual({
      ok: false,
      errors: [
        { path: "/update/sessionUpdate", reason: expect.stringMatching(/^expected one of "user_message_chunk", "/) },
      ],
    });
  });

  test("reports only mistakes in the branch of the tag when there are twenty branches", () => {
    expect(v2.validateNotification("session/update", chunk({ type: "text" }))).toEqual({
      ok: false,
      errors: [{ path: "/update/content/text", reason: "is required" }],
    });
    expect(v2.validateNotification("session/update", { sessionId: "s", update: { sessionUpdate: "_acme" } })).toEqual({
      ok: true,
    });
  });

  test.each([
    ["CHK-07/agent", "ReadTextFileRequest", { sessionId: "s", path: "/a", line: -1 }, "/line"],
    ["CHK-07/agent", "ReadTextFileRequest", { sessionId: "s", path: "/a", line: 1.5 }, "/line"],
    ["CHK-07/agent", "ReadTextFileRequest", { sessionId: "s", path: "/a", limit: 2 ** 32 }, "/limit"],
    ["CHK-07/client", "InitializeRequest", { protocolVersion: 65536 }, "/protocolVersion"],
    ["CHK-07/agent", "Notice", { severity: "info", title: "" }, "/title"],
    ["CHK-07/both", "Annotations", { priority: Infinity }, "/priority"],
  ] as const)("%s: %s is refused when a number or length is out of bounds: %j", (_rule, definition, value, path) => {
    const checked = v1.validate(definition, value);
    expect(checked.ok ? [] : checked.errors.map((error) => error.path)).toContain(path);
  });

  test("never repeats a part of the message", () => {
    const secret = "sk-very-secret";
    const checked = v1.validateRequest("session/new", {
      cwd: 1,
      mcpServers: [{ type: "http", url: [secret], headers: secret }],
    });
    expect(checked.ok).toBe(false);
    expect(JSON.stringify(checked)).not.toContain(secret);
  });

  test("is not misled by inherited or hostile member names", () => {
    expect(v1.validate("EnvVariable", Object.create({ name: "a", value: "b" })).ok).toBe(false);
    const hostile: unknown = JSON.parse('{"name":"a","value":"b","__proto__":{"name":1},"constructor":null}');
    expect(v1.validate("EnvVariable", hostile)).toEqual({ ok: true });
    expect(v1.validate("EnvVariable", JSON.parse('{"__proto__":{"name":"a","value":"b"}}')).ok).toBe(false);
  });

  test("throws when the name does not exist in this version", () => {
    // @ts-expect-error -- not a definition
    expect(() => v1.validate("toString", {})).toThrow(RangeError);
    // @ts-expect-error -- not a method of v2
    expect(() => v2.validateRequest("session/load", {})).toThrow('no request "session/load"');
    // @ts-expect-error -- a request
    expect(() => v1.validateNotification("session/prompt", {})).toThrow("no notification");
    // @ts-expect-error -- a notification
    expect(() => v1.validateResult("session/update", {})).toThrow(RangeError);
  });
});

test("requests and notifications are kept apart when one method is both", () => {
  const message = { serverId: "s", requestId: "1", method: "notifications/progress" };
  expect(v1Unstable.validateRequest("mcp/message", message)).toEqual({ ok: true });
  expect(v1Unstable.validateNotification("mcp/message", message)).toEqual({ ok: true });
});

interface Version<Definition extends string> {
  readonly definitionNames: readonly Definition[];
  readonly validate: (definition: Definition, value: unknown) => v1.Validation;
}

/** Runs every validator of a version on values of every kind. */
function runAll<Definition extends string>({ definitionNames, validate }: Version<Definition>): number {
  for (const definition of definitionNames) {
    for (const value of [undefined, null, 0, "", [], {}]) {
      const checked = validate(definition, value);
      if (!checked.ok) expect(checked.errors.length).toBeGreaterThan(0);
    }
  }
  return definitionNames.length;
}

test("every definition has a validator that answers when the value is anything", () => {
  expect(runAll(v1)).toBeGreaterThan(100);
  expect(runAll(v1Unstable)).toBeGreaterThan(100);
  expect(runAll(v2)).toBeGreaterThan(100);
  expect(runAll(v2Unstable)).toBeGreaterThan(100);
});
