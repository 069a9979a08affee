import { expect, test } from "vitest";
import type { ConnectionCheck } from "./strict/connection-check.ts";
import { createConnectionCheck } from "./v1/strict/index.ts";
import { createConnectionCheck as createUnstableCheck } from "./v1/unstable/strict/index.ts";
import { createConnectionCheck as createCheckV2 } from "./v2/strict/index.ts";
import { createConnectionCheck as createUnstableCheckV2 } from "./v2/unstable/strict/index.ts";

type From = "agent" | "client";

/** What is wrong with each of some messages of a connection. */
function findings(check: ConnectionCheck, messages: readonly (readonly [From, object])[]): string[][] {
  return messages.map(([from, message]) =>
    check(from, { jsonrpc: "2.0", ...message }).map(({ path, reason }) => `${path}: ${reason}`),
  );
}

const update = (body: object): object => ({ method: "session/update", params: { sessionId: "s", update: body } });
const text = { type: "text", text: "Hello" };

test("createConnectionCheck() finds nothing wrong with a turn", () => {
  const messages: [From, object][] = [
    ["client", { id: 0, method: "initialize", params: { protocolVersion: 1 } }],
    ["agent", { id: 0, result: { protocolVersion: 1 } }],
    ["client", { id: "0", method: "session/new", params: { cwd: "/", mcpServers: [] } }],
    ["agent", { id: "0", result: { sessionId: "s" } }],
    ["client", { id: 2, method: "session/prompt", params: { sessionId: "s", prompt: [text] } }],
    ["agent", { id: 2, method: "session/request_permission", params: permission }],
    ["client", { id: 2, result: { outcome: { outcome: "cancelled" } } }],
    ["agent", update({ sessionUpdate: "agent_message_chunk", content: text })],
    ["agent", { id: 2, result: { stopReason: "end_turn" } }],
    ["agent", { id: null, error: { code: -32700, message: "Parse error" } }],
  ];
  expect(findings(createConnectionCheck(), messages).flat()).toEqual([]);
});

const permission = { sessionId: "s", toolCall: { toolCallId: "t" }, options: [] };

test("createConnectionCheck() holds both sides to the letter, and to the order", () => {
  const messages: [From, object][] = [
    ["client", { id: 1, method: "session/prompt", params: { sessionId: "s", prompt: [{ type: "text" }] } }],
    ["agent", update({ sessionUpdate: "tool_call", toolCallId: "t", title: "T" })],
    ["agent", update({ sessionUpdate: "tool_call", toolCallId: "t", title: "T" })],
    ["agent", { id: 1, result: { stopReason: "end_turn", more: 1 } }],
    ["agent", { id: 1, method: "fs/read", params: {} }],
    ["client", { method: "session/close", params: { sessionId: "s" } }],
    ["agent", { id: 2, method: "session/update", params: {}, extra: 1 }],
  ];
  expect(findings(createConnectionCheck(), messages)).toEqual([
    ["/prompt/0/text: is required"],
    [],
    ["/update/toolCallId: was used for another tool call of the session (TOOL-02)"],
    ["/more: is no member of the protocol"],
    ["/method: is none of the protocol, and an extension's begins with _ (EXT-06)"],
    ["/id: is required in a request"],
    ["/id: is no member of a notification", "/extra: is no member of a message"],
  ]);
});

test("createConnectionCheck() knows which answer belongs to which request", () => {
  const messages: [From, object][] = [
    ["client", { id: 1, method: "session/list", params: {} }],
    // Of the other side: its own id.
    ["agent", { id: 1, method: "_ping" }],
    ["client", { id: 1, method: "session/list", params: {} }],
    ["agent", { id: "1", result: {} }],
    ["agent", { id: 1, result: { sessions: "none" } }],
    ["agent", { id: 1, result: { sessions: [] } }],
    ["client", { id: 1, error: { code: "no", message: "No" } }],
    ["client", { id: 7 }],
    ["client", { id: 7, result: {}, error: {} }],
  ];
  expect(findings(createConnectionCheck(), messages)).toEqual([
    [],
    [],
    ["/id: is that of another request that waits for its answer"],
    ["/id: is that of no request that waits for an answer"],
    ["/sessions: expected an array, got a string"],
    ["/id: is that of no request that waits for an answer"],
    ["/error/code: expected an integer"],
    [": has neither a method nor a result nor an error"],
    ["/error: stands beside a result", "/id: is that of no request that waits for an answer"],
  ]);
});

test("createConnectionCheck() takes an answer with an error that is null for one", () => {
  const messages: [From, object][] = [
    ["client", { id: 1, method: "session/list", params: {} }],
    ["agent", { id: 1, result: { sessions: [] }, error: null }],
    ["client", { id: 1, method: "session/list", params: {} }],
  ];
  expect(findings(createConnectionCheck(), messages)).toEqual([[], ["/error: stands beside a result"], []]);
});

test("createConnectionCheck() does not mix up ids that JavaScript has rounded", () => {
  const messages: [From, object][] = [
    ["client", JSON.parse('{"id":1234567890123456789,"method":"session/list","params":{}}')],
    ["client", JSON.parse('{"id":1234567890123456790,"method":"session/list","params":{}}')],
    ["agent", JSON.parse('{"id":1234567890123456789,"result":{"sessions":[]}}')],
    ["agent", JSON.parse('{"id":1234567890123456790,"result":{"sessions":[]}}')],
  ];
  expect(findings(createConnectionCheck(), messages).flat()).toEqual([]);
});

test.each([
  [1, createConnectionCheck],
  [2, createCheckV2],
])("createConnectionCheck() survives other values in place of an id (version %i)", (protocolVersion, create) => {
  const odd: unknown[] = [{ toString: 1 }, [[]], { __proto__: null }, null, 1.5];
  const members = ["sessionId", "terminalId", "toolCallId", "messageId", "elicitationId", "compactionId", "optionId"];
  const methods = ["session/update", "session/resume", "session/close", "terminal/release", "elicitation/complete"];
  for (const value of odd) {
    const check = create();
    const ids = Object.fromEntries(members.map((name) => [name, value]));
    check("client", { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: value } });
    check("agent", { jsonrpc: "2.0", id: 0, result: { protocolVersion } });
    for (const method of [...methods, "__proto__", "constructor", "__defineGetter__", "toString"]) {
      for (const sessionUpdate of ["tool_call", "tool_call_update", "agent_message", "state_update", value]) {
        const told = { sessionUpdate, content: [{ type: "terminal", ...ids }], background: [ids, value], ...ids };
        for (const from of ["agent", "client"] as const) {
          const call = { jsonrpc: "2.0", id: 1, method, params: { ...ids, update: told, options: [ids, value] } };
          check(from, call);
          check(from === "agent" ? "client" : "agent", { jsonrpc: "2.0", id: 1, result: ids });
        }
      }
    }
    const last = { jsonrpc: "2.0", id: 9, method: "session/list", params: {} };
    expect(check("client", last)).toEqual([]);
  }
});

test.each([[[]], ["Hello"], [1], [null]])("createConnectionCheck() rejects %j as a message", (message) => {
  expect(createConnectionCheck()("agent", message)).toEqual([
    { path: "", reason: "is no message: expected an object" },
  ]);
});

test("createConnectionCheck() wants the version of JSON-RPC", () => {
  for (const from of ["agent", "client"] as const) {
    const message = { jsonrpc: "1.0", id: 1, method: "session/list" };
    expect(createConnectionCheck()(from, message)).toEqual([{ path: "/jsonrpc", reason: 'expected "2.0"' }]);
  }
});

test("createConnectionCheck() is of a version, and with or without its unstable parts", () => {
  const fork = { jsonrpc: "2.0", id: 1, method: "session/fork", params: { sessionId: "s", cwd: "/", mcpServers: [] } };
  const isRight = (check: ConnectionCheck, message: object): boolean => check("client", message).length === 0;
  expect(isRight(createConnectionCheck(), fork)).toBe(false);
  expect(isRight(createUnstableCheck(), fork)).toBe(true);
  const login = { jsonrpc: "2.0", id: 1, method: "auth/login", params: { methodId: "m" } };
  expect(isRight(createConnectionCheck(), login)).toBe(false);
  expect(isRight(createCheckV2(), login)).toBe(true);
  expect(isRight(createUnstableCheckV2(), login)).toBe(true);
});

test.each([
  ["version 1", createConnectionCheck, { id: "model" }, { group: "g" }],
  ["version 2", createCheckV2, { configId: "model" }, { groupId: "g" }],
] as const)("createConnectionCheck() wants current values that can be chosen, in %s", (_which, create, id, group) => {
  const small = { value: "small", name: "Small" };
  const option = (currentValue: string, options: readonly object[]): object => ({
    type: "select",
    ...id,
    name: "Model",
    currentValue,
    options,
  });
  const grouped = [{ ...group, name: "Group", options: [small] }];
  const set = (configOptions: readonly object[]): object => ({
    sessionUpdate: "config_option_update",
    configOptions,
  });
  const messages: [From, object][] = [
    ["client", { id: 1, method: "session/new", params: { cwd: "/", mcpServers: [] } }],
    ["agent", { id: 1, result: { sessionId: "s", configOptions: [option("large", [small])] } }],
    ["agent", update(set([option("small", [small]), { ...option("large", grouped), ...changed(id) }]))],
    ["agent", update(set([option("small", grouped)]))],
  ];
  const reason = "is no value that the option has (CONF-11)";
  expect(findings(create(), messages)).toEqual([
    [],
    [`/configOptions/0/currentValue: ${reason}`],
    [`/update/configOptions/1/currentValue: ${reason}`],
    [],
  ]);
});

/** The same name of an id, with another one. */
function changed(id: object): object {
  return Object.fromEntries(Object.keys(id).map((name) => [name, "other"]));
}

test("createConnectionCheck() wants a session's mode among the modes sent with it", () => {
  const opening = (id: number, currentModeId: string): [From, object][] => [
    ["client", { id, method: "session/new", params: { cwd: "/", mcpServers: [] } }],
    [
      "agent",
      { id, result: { sessionId: `s${id}`, modes: { currentModeId, availableModes: [{ id: "ask", name: "Ask" }] } } },
    ],
  ];
  expect(findings(createConnectionCheck(), [...opening(1, "ask"), ...opening(2, "code")])).toEqual([
    [],
    [],
    [],
    ["/modes/currentModeId: names no mode of the session (MODE-05)"],
  ]);
});

test.each([
  ["version 1", createConnectionCheck],
  ["version 2", createCheckV2],
] as const)("createConnectionCheck() accepts modes and options of extensions, in %s", (_which, create) => {
  const own = { modes: { dark: true }, configOptions: [{ type: "select", values: ["a"] }] };
  const messages: [From, object][] = [
    ["client", { id: 1, method: "_acme/settings", params: {} }],
    ["agent", { id: 1, result: own }],
    ["agent", { method: "_acme/changed", params: own }],
    ["agent", { id: 2, method: "_acme/choose", params: own }],
    ["client", { id: 2, result: own }],
  ];
  expect(findings(create(), messages)).toEqual(messages.map(() => []));
});

test("createConnectionCheck() accepts modes in an update of an extension, in version 2", () => {
  const own = { sessionUpdate: "_acme_theme", modes: { dark: true } };
  expect(findings(createCheckV2(), [["agent", update(own)]])).toEqual([[]]);
});

test.each([
  ["v1", createConnectionCheck],
  ["v1 unstable", createUnstableCheck],
  ["v2", createCheckV2],
  ["v2 unstable", createUnstableCheckV2],
])(
  "createConnectionCheck() does not throw when params or results are of another type than an object (%s)",
  (_, create) => {
    const methods = [
      "initialize",
      "session/new",
      "session/load",
      "session/prompt",
      "session/update",
      "terminal/release",
    ];
    for (const method of [
      ...methods,
      "session/resume",
      "session/cancel",
      "elicitation/create",
      "session/request_permission",
    ])
      for (const params of [null, 0, "text", [], [null], { update: null }]) {
        const check = create();
        for (const from of ["client", "agent"] as const) {
          expect(check(from, { jsonrpc: "2.0", id: 1, method, params }).length).toBeGreaterThan(0);
          check(from === "client" ? "agent" : "client", { jsonrpc: "2.0", id: 1, result: null });
          check(from, { jsonrpc: "2.0", method, params });
        }
      }
  },
);
