import { readSchema } from "@acp/codegen/testing";
import { describe, expect, test } from "vitest";
import { decode, unknownVariant } from "./index.ts";
import * as v1 from "./v1/index.ts";

const stdio = { name: "files", command: "/bin/files", args: [], env: [] };
const update = (rest: object): object => ({ sessionId: "s", update: rest });

describe("v1 session/update", () => {
  test("gives back a chunk as the very object that was received", () => {
    const message = update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hi" }, extra: 1 });
    expect(decode(v1.decodeSessionNotification, message)).toEqual({ ok: true, value: message, issues: [] });
    expect(decode(v1.decodeSessionNotification, message)).toHaveProperty("value", message);
    const outcome = decode(v1.decodeSessionNotification, message);
    expect(outcome.ok && outcome.value).toBe(message);
  });

  test("UPD-07 an unknown update is kept under unknownVariant, with an issue", () => {
    const message = update({ sessionUpdate: "_acme_progress", percent: 5 });
    expect(decode(v1.decodeSessionNotification, message)).toEqual({
      ok: true,
      value: {
        sessionId: "s",
        update: { sessionUpdate: unknownVariant, received: { sessionUpdate: "_acme_progress", percent: 5 } },
      },
      issues: [{ action: "unknown", path: ["update", "sessionUpdate"], reason: "is not a known variant" }],
    });
  });

  test("keeps a known update that does not decode the same way, and the issue describes the mistake", () => {
    const bad = { sessionUpdate: "agent_message_chunk", content: { type: "hologram", secret: "x" } };
    expect(decode(v1.decodeSessionNotification, update(bad))).toEqual({
      ok: true,
      value: { sessionId: "s", update: { sessionUpdate: unknownVariant, received: bad } },
      issues: [
        {
          action: "unknown",
          path: ["update", "content", "type"],
          reason: 'expected one of "text", "image", "audio", "resource_link", "resource"',
        },
      ],
    });
  });

  test("an update without a tag is refused", () => {
    expect(decode(v1.decodeSessionNotification, update({ content: [] }))).toMatchObject({
      ok: false,
      path: ["update", "sessionUpdate"],
      reason: "is missing",
    });
  });
});

describe("v1 tolerance", () => {
  test("COMPAT-01/agent: a bad capability reads as its default", () => {
    const message = {
      protocolVersion: 1,
      agentCapabilities: { loadSession: "yes", auth: 5, "x-own": 1 },
      agentInfo: 3,
    };
    expect(decode(v1.decodeInitializeResponse, message)).toEqual({
      ok: true,
      value: { protocolVersion: 1, agentCapabilities: { loadSession: false, auth: {}, "x-own": 1 } },
      issues: [
        { action: "replaced", path: ["agentCapabilities", "loadSession"], reason: "expected a boolean, got a string" },
        { action: "replaced", path: ["agentCapabilities", "auth"], reason: "expected an object, got a number" },
        { action: "replaced", path: ["agentInfo"], reason: "expected an object, got a number" },
      ],
    });
  });

  test("COMPAT-02/client, CONF-12: options of an unknown type are skipped", () => {
    const option = { id: "a", name: "A", type: "boolean", currentValue: true };
    const message = { sessionId: "s", configOptions: [option, { ...option, type: "x" }] };
    expect(decode(v1.decodeNewSessionResponse, message)).toMatchObject({
      value: { configOptions: [option] },
      issues: [{ action: "skipped", path: ["configOptions", 1, "type"] }],
    });
  });

  test("COMPAT-03/agent: null for mcpServers is empty, a missing one is an error", () => {
    const decoded = decode(v1.decodeNewSessionRequest, { cwd: "/", mcpServers: null });
    expect(decoded).toEqual({ ok: true, value: { cwd: "/", mcpServers: [] }, issues: [] });
    expect(decode(v1.decodeNewSessionRequest, { cwd: "/" })).toMatchObject({ ok: false, path: ["mcpServers"] });
  });

  test("members where silence would be dangerous are refused", () => {
    const path = { sessionId: "s", path: "/a" };
    expect(decode(v1.decodeReadTextFileRequest, { ...path, line: "3" })).toMatchObject({ ok: false, path: ["line"] });
    expect(decode(v1.decodeReadTextFileRequest, { ...path, line: null })).toMatchObject({ ok: true, issues: [] });
    const terminal = { sessionId: "s", command: "ls", outputByteLimit: -1 };
    expect(decode(v1.decodeCreateTerminalRequest, terminal)).toMatchObject({ ok: false, path: ["outputByteLimit"] });
  });
});

describe("v1 unions", () => {
  test("an MCP server without a type is stdio; an http one without a url is not", () => {
    expect(decode(v1.decodeMcpServer, stdio)).toMatchObject({ ok: true });
    expect(decode(v1.decodeMcpServer, { ...stdio, type: "stdio" })).toMatchObject({ ok: true });
    expect(decode(v1.decodeMcpServer, { ...stdio, type: "http" })).toMatchObject({ ok: false, path: ["url"] });
    expect(decode(v1.decodeMcpServer, { ...stdio, type: "_x" })).toMatchObject({ ok: false, path: ["type"] });
  });

  test("AUTH-02/client: a login method without a type is of type agent, one of an unknown type is kept", () => {
    const method = { id: "a", name: "A" };
    const strange = { ...method, type: "_x", description: "Why", keys: ["K"] };
    const authMethods = [method, strange, { ...method, type: "agent" }];
    expect(decode(v1.decodeInitializeResponse, { protocolVersion: 1, authMethods })).toMatchObject({
      value: { authMethods: [method, { ...strange, type: unknownVariant, received: strange }, authMethods[2]] },
      issues: [{ action: "unknown", path: ["authMethods", 1, "type"] }],
    });
  });

  test("a login method of an unknown type without a name, or of a type that is not a string, is skipped", () => {
    const authMethods = [
      { id: "a", type: "_x" },
      { id: "a", name: "A", type: 5 },
    ];
    expect(decode(v1.decodeInitializeResponse, { protocolVersion: 1, authMethods })).toMatchObject({
      value: { authMethods: [] },
      issues: [
        { action: "skipped", path: ["authMethods", 0, "name"] },
        { action: "skipped", path: ["authMethods", 1, "type"] },
      ],
    });
  });

  test("an unknown permission outcome, stop reason or prompt content is refused, never read as a known one", () => {
    const permission = { outcome: { outcome: "_maybe", optionId: "allow" } };
    expect(decode(v1.decodeRequestPermissionResponse, permission)).toMatchObject({ ok: false });
    expect(decode(v1.decodePromptResponse, { stopReason: "_tired" })).toMatchObject({
      ok: false,
      path: ["stopReason"],
    });
    const prompt = { sessionId: "s", prompt: [{ type: "text", text: "" }, { type: "_x" }] };
    expect(decode(v1.decodePromptRequest, prompt)).toMatchObject({ ok: false, path: ["prompt", 1, "type"] });
  });

  test("ELIC-31 an unknown elicitation mode keeps its message and the received value", () => {
    const message = { mode: "_voice", message: "Say it", sessionId: "s", language: "de" };
    expect(decode(v1.decodeCreateElicitationRequest, message)).toMatchObject({
      ok: true,
      value: { mode: unknownVariant, message: "Say it", received: message },
      issues: [{ action: "unknown", path: ["mode"] }],
    });
    const nobodys = { mode: "_voice", message: "Say it" };
    expect(decode(v1.decodeCreateElicitationRequest, nobodys)).toMatchObject({ ok: false });
  });

  test("ELIC-32 an unknown elicitation action is not a known one", () => {
    expect(decode(v1.decodeCreateElicitationResponse, { action: "_later", content: {} })).toMatchObject({
      value: { action: unknownVariant, received: { action: "_later" } },
    });
  });

  test("RequestId keeps null, zero, the empty string and strings", () => {
    for (const id of [null, 0, "", "abc", -1])
      expect(decode(v1.decodeRequestId, id)).toMatchObject({ ok: true, value: id });
    expect(decode(v1.decodeRequestId, 1.5)).toMatchObject({ ok: false });
  });
});

describe("v1 tables", () => {
  test("name the gate of a method", () => {
    const gates = [{ kind: "capability", path: ["fs", "readTextFile"], value: "boolean" }];
    expect(v1.clientTable.handles.requests["fs/read_text_file"]).toMatchObject({ gates });
    expect(v1.agentTable.calls.requests["fs/read_text_file"]).toMatchObject({ gates });
    expect(v1.agentTable.calls.requests["elicitation/create"]?.gates).toMatchObject([
      { path: ["elicitation", "form"], when: { member: "mode", value: "form" } },
      { path: ["elicitation", "url"], when: { member: "mode", value: "url" } },
    ]);
  });

  test("name the methods that end a turn, open or end a session and skip the queue", () => {
    const ends = Object.entries(v1.clientTable.calls.requests).filter(([, request]) => request.endsTurn);
    expect(ends.map(([name]) => name)).toEqual(["session/load", "session/prompt", "session/resume"]);
    expect(v1.clientTable.calls.requests["session/new"]).toMatchObject({ opensSession: "result" });
    expect(v1.agentTable.handles.requests["session/load"]).toMatchObject({ opensSession: "params" });
    expect(v1.agentTable.handles.requests["session/close"]).toMatchObject({ endsSession: true });
    expect(v1.clientTable.calls.requests["session/delete"]).toMatchObject({ endsSession: true });
    for (const { handles } of [v1.agentTable, v1.clientTable]) {
      expect(handles.notifications["$/cancel_request"]).toMatchObject({ unqueued: true });
    }
    expect(v1.agentTable.handles.notifications["session/cancel"]).toMatchObject({ unqueued: true });
  });

  test("mirror each other: one role handles the methods that the other calls", () => {
    const names = (methods: object): readonly string[] => Object.keys(methods);
    for (const [one, two] of [[v1.agentTable, v1.clientTable] as const, [v1.clientTable, v1.agentTable] as const]) {
      expect(names(one.handles.requests)).toEqual(names(two.calls.requests));
      expect(names(one.handles.notifications)).toEqual(names(two.calls.notifications));
    }
  });

  test("have the requests that the schema gives to their side, and no others", () => {
    const marked = Object.entries(readSchema("v1").$defs).filter(([name]) => name.endsWith("Request"));
    for (const [side, table] of [["agent", v1.agentTable] as const, ["client", v1.clientTable] as const]) {
      const wanted = marked.flatMap(([, schema]) => (schema["x-side"] === side ? [schema["x-method"]] : []));
      expect(new Set(Object.keys(table.handles.requests))).toEqual(new Set(wanted));
      expect(wanted).not.toEqual([]);
    }
  });

  test("gate variants, for sender and receiver", () => {
    expect(v1.agentTable.variants["SessionUpdate"]?.["notice"]).toMatchObject({
      path: ["session", "notices"],
      value: "object",
    });
    expect(v1.clientTable.variants["ContentBlock"]?.["image"]).toMatchObject({ path: ["promptCapabilities", "image"] });
    expect(v1.clientTable.variants["McpServer"]?.["sse"]).toMatchObject({ path: ["mcpCapabilities", "sse"] });
    expect(v1.clientTable.variants).toEqual(v1.agentTable.variants);
  });
});
