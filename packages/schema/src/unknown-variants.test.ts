import { deepStrictEqual } from "node:assert";
import { inspect } from "node:util";
import { MessageChannel } from "node:worker_threads";
import { schemaNames } from "@acp/codegen/testing";
import { describe, expect, expectTypeOf, test } from "vitest";
import { decodeAs } from "../testing/decoders.ts";
import { decode, unknownVariant } from "./index.ts";
import * as v1 from "./v1/index.ts";
import type { Received } from "./v1/index.ts";

const login = { type: "env_var", id: "key", name: "API key", vars: [{ name: "KEY" }] };
const update = { sessionUpdate: "_acme/mood", mood: { is: [1, null] } };
const content = [{ type: "hologram", of: 1 }, { type: "text", text: "a" }, { type: "smell" }];
const message = { sessionUpdate: "agent_message", messageId: "m", content };
const napping = { sessionUpdate: "state_update", state: "_napping", since: 5 };
const bored = { sessionUpdate: "state_update", state: "idle", stopReason: "_bored", background: [{ type: "_dream" }] };
const call = {
  sessionUpdate: "tool_call_update",
  toolCallId: "c",
  content: [
    { type: "content", content: { type: "hologram" } },
    { type: "_chart", points: [[0, 1]] },
    { type: "diff", changes: [{ operation: "_swap", mimeType: "text/plain" }] },
  ],
};

/** Values with something unknown in them, where the schema lets a receiver keep it. */
const values = [
  ["v1", "InitializeResponse", { protocolVersion: 1, authMethods: [login, { id: "a", name: "A" }] }],
  ["v1", "SessionNotification", { sessionId: "s", update }],
  ["v1", "SessionUpdate", { sessionUpdate: "agent_message_chunk", content: content[0] }],
  ["v1", "CreateElicitationRequest", { mode: "_voice", message: "Say it", sessionId: "s", language: "de" }],
  ["v1", "CreateElicitationResponse", { action: "_later", content: {} }],
  ["v1/unstable", "InitializeResponse", { protocolVersion: 1, authMethods: [login] }],
  ["v1/unstable", "SessionUpdate", update],
  ["v1/unstable", "SessionUpdate", { sessionUpdate: "plan_update", plan: { type: "_gantt", planId: "p" } }],
  ["v1/unstable", "SessionUpdate", { sessionUpdate: "subagent_update", sessionId: "s", state: { state: "_asleep" } }],
  ["v2", "SessionUpdate", update],
  ["v2", "SessionUpdate", message],
  ["v2", "SessionUpdate", call],
  ["v2", "SessionUpdate", napping],
  ["v2", "SessionUpdate", bored],
  ["v2", "RequestPermissionResponse", { outcome: { outcome: "_maybe", optionId: "allow" } }],
  ["v2/unstable", "SessionUpdate", message],
  ["v2/unstable", "SessionUpdate", { sessionUpdate: "plan_update", plan: { type: "_gantt", planId: "p" } }],
] as const;

function read(name: (typeof schemaNames)[number], definition: string, value: unknown): unknown {
  const decoded = decodeAs(name, definition, value);
  if (!decoded.ok) throw new Error(`${definition}: ${decoded.reason}`);
  expect(decoded.issues.map(({ action }) => action)).toContain("unknown");
  return decoded.value;
}

describe.each(values)("UPD-07, ELIC-31, AUTH-02/client: an unknown value in %s %s", (name, definition, received) => {
  test("is written as JSON as it was received", () => {
    expect(JSON.stringify(read(name, definition, received))).toBe(JSON.stringify(received));
  });

  test("can be cloned and posted, with its tag", async () => {
    const value = read(name, definition, received);
    const clone: unknown = structuredClone(value);
    expect(JSON.stringify(clone)).toContain(`:"${unknownVariant}"`);
    deepStrictEqual(clone, value);
    const { port1, port2 } = new MessageChannel();
    const posted = new Promise((resolve) => port2.once("message", resolve));
    port1.postMessage(value);
    deepStrictEqual(await posted, value);
    port1.close();
  });

  test("is printed with its tag and the received value, and nothing else", () => {
    const printed = inspect(read(name, definition, received), { depth: Infinity });
    expect(printed).toContain(`'${unknownVariant}'`);
    expect(printed).toContain("received: {");
    expect(printed).not.toMatch(/toJSON|\[Function|Symbol/);
  });
});

describe("the tag of an unknown variant", () => {
  const [unknown] = (
    read("v1", "InitializeResponse", { protocolVersion: 1, authMethods: [login] }) as {
      authMethods: readonly [Received.AuthMethod];
    }
  ).authMethods;

  test("is one text that prints, and that no protocol has as a value", () => {
    expectTypeOf(unknownVariant).toEqualTypeOf<"unknown variant">();
    expect(`${unknown.type}: ${unknown.name}`).toBe("unknown variant: API key");
    expect(["By: ", unknown.type].join("")).toBe("By: unknown variant");
  });

  test("is kept with the known members, in a plain object", () => {
    deepStrictEqual(unknown, { ...login, type: unknownVariant, received: login });
    expect(Object.keys(unknown)).not.toContain("toJSON");
    expect(unknown.type === unknownVariant && unknown.received).toBe(login);
  });

  test("a copy has it, too, and is written with it", () => {
    expect(JSON.parse(JSON.stringify({ ...unknown }))).toEqual({ ...login, type: unknownVariant, received: login });
  });

  test("sent by a peer is unknown like any other", () => {
    const type = unknownVariant;
    const sent = { sessionUpdate: type, received: { sessionUpdate: "plan", entries: [] } };
    for (const name of schemaNames) {
      const value = read(name, "SessionUpdate", sent);
      deepStrictEqual(value, { sessionUpdate: unknownVariant, received: sent });
      expect(JSON.stringify(value)).toBe(JSON.stringify(sent));
    }
    const method = { type, id: "a", name: "A", received: 5 };
    const initialized = { protocolVersion: 1, authMethods: [method] };
    expect(read("v1", "InitializeResponse", initialized)).toEqual({
      protocolVersion: 1,
      authMethods: [{ ...method, received: method }],
    });
    expect(JSON.stringify(read("v1", "InitializeResponse", initialized))).toBe(JSON.stringify(initialized));
    const block = { type, received: { type: "text", text: "Approved" } };
    deepStrictEqual(read("v2", "ContentBlock", block), { type: unknownVariant, received: block });
    const state = { sessionUpdate: "state_update", state: type, received: { state: "idle" } };
    deepStrictEqual(read("v2", "SessionUpdate", state), { ...state, received: state });
  });

  test("sent by a peer is refused where unknown variants are", () => {
    const type = unknownVariant;
    const prompt = { sessionId: "s", prompt: [{ type, received: { type: "text", text: "" } }] };
    expect(decode(v1.decodePromptRequest, prompt)).toMatchObject({ ok: false, path: ["prompt", 0, "type"] });
    const permission = { outcome: { outcome: type, received: {} } };
    expect(decode(v1.decodeRequestPermissionResponse, permission)).toMatchObject({ ok: false });
    expect(decode(v1.decodePromptResponse, { stopReason: type })).toMatchObject({ ok: false, path: ["stopReason"] });
  });

  test("is a value like any other in an open enum", () => {
    const notice = { sessionUpdate: "notice", severity: unknownVariant, title: "A" };
    for (const name of schemaNames) {
      const decoded = decodeAs(name, "SessionUpdate", notice);
      expect(decoded).toMatchObject({ ok: true, issues: [] });
      expect(decoded.ok && decoded.value).toBe(notice);
    }
  });

  test("represents a variant that is written unchanged, even with a member toJSON", () => {
    const method = { type: "_x", id: "a", name: "A", toJSON: "no" };
    const initialized = { protocolVersion: 1, authMethods: [method] };
    const value = read("v1", "InitializeResponse", initialized);
    expect(JSON.stringify(value)).toBe(JSON.stringify(initialized));
    expect(() => structuredClone(value)).not.toThrow();
  });
});
