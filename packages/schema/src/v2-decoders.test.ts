import { describe, expect, test } from "vitest";
import { decode, unknownVariant } from "./index.ts";
import * as unstable from "./v1/unstable/index.ts";
import * as v2 from "./v2/index.ts";

describe("v2 unions", () => {
  test("an unknown update is kept, a known one that is bad is refused", () => {
    const unknown = { sessionId: "s", update: { sessionUpdate: "_x" } };
    expect(decode(v2.decodeUpdateSessionNotification, unknown)).toMatchObject({
      value: { update: { sessionUpdate: unknownVariant, received: unknown.update } },
    });
    const bad = {
      sessionId: "s",
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "" } },
    };
    expect(decode(v2.decodeUpdateSessionNotification, bad)).toMatchObject({ ok: false, path: ["update", "messageId"] });
  });

  test("an unknown state, or stop reason, keeps the tags around it", () => {
    const state = { sessionUpdate: "state_update", state: "_napping" };
    expect(decode(v2.decodeSessionUpdate, state)).toMatchObject({
      value: { sessionUpdate: "state_update", state: unknownVariant, received: state },
    });
    const idle = { sessionUpdate: "state_update", state: "idle", stopReason: "_bored", background: null };
    const outcome = decode(v2.decodeSessionUpdate, idle);
    expect(outcome).toMatchObject({
      value: { sessionUpdate: "state_update", state: "idle", stopReason: unknownVariant, background: null },
    });
    expect(outcome.ok && "received" in outcome.value && outcome.value.received).toBe(idle);
  });

  test("a bad stop reason reads as none", () => {
    expect(decode(v2.decodeIdleStateUpdate, { stopReason: 5 })).toMatchObject({ ok: true, value: {}, issues: [{}] });
    expect(decode(v2.decodeIdleStateUpdate, { stopReason: null })).toMatchObject({ ok: true, issues: [] });
    expect(decode(v2.decodeIdleStateUpdate, {})).toMatchObject({ ok: true, issues: [] });
  });

  test("an elicitation names a session or a request, not both", () => {
    const form = { mode: "form", message: "m", requestedSchema: { type: "object", properties: {} } };
    expect(decode(v2.decodeCreateElicitationRequest, { ...form, sessionId: "s" })).toMatchObject({ ok: true });
    expect(decode(v2.decodeCreateElicitationRequest, { ...form, requestId: 1 })).toMatchObject({ ok: true });
    const both = { ...form, sessionId: "s", requestId: 1 };
    expect(decode(v2.decodeCreateElicitationRequest, both)).toMatchObject({
      ok: false,
      reason: "fits more than one of Session, Request",
    });
  });
});

describe("v2 tables", () => {
  test("are of version 2, and gate sessions by the capability `session`", () => {
    expect(v2.agentTable).toMatchObject({ protocolVersion: 2, role: "agent" });
    expect(v2.agentTable.handles.requests["session/new"]).toMatchObject({
      gates: [{ path: ["session"], value: "object" }],
    });
    expect(v2.clientTable.handles.requests).not.toHaveProperty("fs/read_text_file");
  });
});

describe("unstable tables", () => {
  test("include the parts that only the unstable schema has, gated", () => {
    const fork = unstable.clientTable.calls.requests["session/fork"];
    expect(fork).toMatchObject({ opensSession: "result", gates: [{ path: ["sessionCapabilities", "fork"] }] });
    expect(unstable.agentTable.variants["SessionUpdate"]?.["plan_update"]).toMatchObject({ path: ["plan"] });
  });

  test("hold the request and the notification mcp/message, each with its side, gated by the agent's capability", () => {
    const path = ["mcpCapabilities", "acp"];
    expect(unstable.clientTable.handles.requests["mcp/message"]?.gates).toEqual([
      { kind: "capability", path, value: "boolean", by: "caller" },
    ]);
    expect(unstable.agentTable.handles.notifications["mcp/message"]?.gates).toEqual([
      { kind: "capability", path, value: "boolean" },
    ]);
  });
});
