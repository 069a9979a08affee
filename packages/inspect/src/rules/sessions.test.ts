// What an inspector knows of the sessions of a connection, and of what is asked in them.
import { expect, test } from "vitest";

import type { Side } from "../inspected.ts";
import { createInspector } from "../inspector.ts";

const cwd = { cwd: "/", mcpServers: [] };
const agentCapabilities = { loadSession: true, sessionCapabilities: { close: {}, resume: {} } };
const notOpened = "/sessionId: names no session that the client has opened, or is opening";

/** What is wrong with messages behind an `initialize`, each with its place among them. */
function wrongIn(messages: readonly (readonly [Side, object])[], version = 1): string[] {
  const inspector = createInspector();
  const info = { name: "x", version: "1.0.0" };
  const begin: (readonly [Side, object])[] =
    version === 1
      ? [
          ["client", { id: 0, method: "initialize", params: { protocolVersion: 1 } }],
          ["agent", { id: 0, result: { protocolVersion: 1, agentCapabilities } }],
        ]
      : [
          ["client", { id: 0, method: "initialize", params: { protocolVersion: 2, info, capabilities: {} } }],
          ["agent", { id: 0, result: { protocolVersion: 2, info, capabilities: { session: {} } } }],
        ];
  const all = [...begin, ...messages].map(([from, message]) => inspector.take(from, { jsonrpc: "2.0", ...message }));
  return all.flatMap(({ findings }, index) =>
    findings.map(({ path, reason }) => `${index - begin.length} ${path}: ${reason}`),
  );
}

const asks = (id: unknown, method: string, params: object): [Side, object] => ["client", { id, method, params }];
const answers = (id: unknown, result: object): [Side, object] => ["agent", { id, result }];
const update = (sessionId: string, body: object): [Side, object] => [
  "agent",
  { method: "session/update", params: { sessionId, update: body } },
];
const chunk = (sessionId: string): [Side, object] =>
  update(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello" } });
const opened = (sessionId: string, setup: object = {}): [Side, object][] => [
  asks(`new ${sessionId}`, "session/new", cwd),
  answers(`new ${sessionId}`, { sessionId, ...setup }),
];
const select = (currentValue: string, ...values: readonly string[]): object => ({
  type: "select",
  id: "model",
  name: "Model",
  currentValue,
  options: values.map((value) => ({ value, name: value })),
});
const choose = (id: unknown, value: unknown): [Side, object] =>
  asks(id, "session/set_config_option", { sessionId: "s", configId: "model", value });

test("an update for an unopened session is reported once, and the session may then be prompted", () => {
  const messages = [
    chunk("s"),
    ...opened("s"),
    chunk("s"),
    // A list of sessions may show a new title.
    update("other", { sessionUpdate: "session_info_update", title: "Title" }),
    ["agent", { id: 1, method: "session/request_permission", params: permission("other") }] as const,
    chunk("other"),
    // The client has claimed it.
    asks("claimed", "session/prompt", { sessionId: "other", prompt: [{ type: "text", text: "Go on" }] }),
    ["agent", { id: 2, method: "session/request_permission", params: permission("third") }] as const,
    asks("unknown", "session/prompt", { sessionId: "fourth", prompt: [{ type: "text", text: "Hello" }] }),
  ];
  expect(wrongIn(messages)).toEqual([
    `0 ${notOpened}`,
    `5 ${notOpened}`,
    `8 ${notOpened}`,
    "9 /sessionId: names no session that is open on this connection (PROM-01)",
  ]);
});

test("updates that come while their session is opened, or may have been on their way when it ended, are right", () => {
  const messages = [
    asks(1, "session/new", cwd),
    chunk("new"),
    answers(1, { sessionId: "new" }),
    chunk("new"),
    asks(2, "session/load", { sessionId: "old", ...cwd }),
    chunk("old"),
    ["agent", { id: 2, error: { code: -32002, message: "There is none" } }] as const,
    chunk("old"),
    asks(3, "session/close", { sessionId: "new" }),
    answers(3, {}),
    chunk("new"),
    update("new", { sessionUpdate: "subagent_update", sessionId: "sub", status: "running" }),
    chunk("sub"),
  ];
  expect(wrongIn(messages).filter((wrong) => wrong.includes("names no session"))).toEqual([]);
});

test("a value that no option ever had is reported, both when requested and when confirmed", () => {
  const configOptions = [select("small", "small", "large")];
  const changed = { sessionUpdate: "config_option_update", configOptions: [select("tiny", "tiny")] };
  const messages = [
    ...opened("s", { configOptions }),
    choose(1, "huge"),
    choose(2, "large"),
    answers(2, { configOptions: [select("huge", "small", "large")] }),
    update("s", changed),
    // It may have been chosen before the update had come.
    choose(3, "small"),
    choose(4, "tiny"),
  ];
  expect(wrongIn(messages)).toEqual([
    "2 /value: is no value that the option has (CONF-13)",
    "4 /configOptions/0/currentValue: is no value that the option has (CONF-11)",
  ]);
});

test("options that an update tells before the answer that opens their session are options of it", () => {
  const told = { sessionUpdate: "config_option_update", configOptions: [select("small", "small", "large")] };
  for (const [request, answer] of [
    [asks(0, "session/new", cwd), answers(0, { sessionId: "s" })],
    [asks(0, "session/load", { sessionId: "s", ...cwd }), answers(0, {})],
  ] as const) {
    expect(wrongIn([request, update("s", told), answer, choose(1, "large"), choose(2, "huge")])).toEqual([
      "4 /value: is no value that the option has (CONF-13)",
    ]);
  }
});

test("values in groups are values, and those of version 2 as well", () => {
  const options = [{ groupId: "fast", name: "Fast", options: [{ value: "small", name: "Small" }] }];
  const option = { type: "select", configId: "model", name: "Model", currentValue: "small", options };
  const chosen = (id: number, value: string): [Side, object] =>
    asks(id, "session/set_config_option", { sessionId: "s", configId: "model", type: "id", value });
  const messages = [
    asks(9, "session/new", { cwd: "/" }),
    answers(9, { sessionId: "s", configOptions: [option] }),
    chosen(1, "small"),
    chosen(2, "large"),
  ];
  expect(wrongIn(messages, 2)).toEqual(["3 /value: is no value that the option has (CONF-13)"]);
});

test("a mode that the agent is in has to be one of the session", () => {
  const availableModes = [{ id: "ask", name: "Ask" }];
  const messages = [
    ...opened("s", { modes: { currentModeId: "ask", availableModes } }),
    update("s", { sessionUpdate: "current_mode_update", currentModeId: "ask" }),
    update("s", { sessionUpdate: "current_mode_update", currentModeId: "code" }),
    ...opened("t", { modes: { currentModeId: "code", availableModes } }),
    // Of a session that is opened again, others may be offered.
    asks(7, "session/load", { sessionId: "s", ...cwd }),
    update("s", { sessionUpdate: "current_mode_update", currentModeId: "plan" }),
    answers(7, { modes: { currentModeId: "plan", availableModes: [{ id: "plan", name: "Plan" }] } }),
  ];
  expect(wrongIn(messages)).toEqual([
    "3 /update/currentModeId: names no mode of the session (MODE-05)",
    "5 /modes/currentModeId: names no mode of the session (MODE-05)",
  ]);
});

function permission(sessionId: string): object {
  const options = [{ optionId: "o", name: "O", kind: "allow_once" }];
  return { sessionId, toolCall: { toolCallId: "t" }, options };
}

const prompts = (id: unknown): [Side, object] =>
  asks(id, "session/prompt", { sessionId: "s", prompt: [{ type: "text", text: "Hello" }] });
const cancels: [Side, object] = ["client", { method: "session/cancel", params: { sessionId: "s" } }];
const question = (id: unknown): [Side, object] => [
  "agent",
  { id, method: "session/request_permission", params: permission("s") },
];
const allows = (id: unknown): [Side, object] => [
  "client",
  { id, result: { outcome: { outcome: "selected", optionId: "o" } } },
];
const withdrawn = "/outcome/outcome: is not cancelled, and the turn was (PERM-07)";

test("a question of a cancelled turn is answered cancelled, whether it came before the cancel or after it", () => {
  const messages = [
    ...opened("s"),
    prompts(1),
    question(1),
    question(2),
    allows(1),
    cancels,
    question(3),
    allows(2),
    ["client", { id: 3, result: { outcome: { outcome: "cancelled" } } }] as const,
    answers(1, { stopReason: "cancelled" }),
  ];
  expect(wrongIn(messages)).toEqual([`8 ${withdrawn}`]);
  expect(wrongIn([...messages.slice(0, 8), allows(3)])).toEqual([`8 ${withdrawn}`]);
});

test("a question that may be for a turn that was not cancelled can be allowed", () => {
  const messages = [
    ...opened("s"),
    // There is no turn that it could cancel.
    cancels,
    prompts(1),
    question(1),
    allows(1),
    cancels,
    prompts(2),
    question(2),
    allows(2),
    answers(1, { stopReason: "cancelled" }),
    question(3),
    allows(3),
    answers(2, { stopReason: "end_turn" }),
  ];
  expect(wrongIn(messages)).toEqual([]);
});

test("an option that changed from a list to a switch takes its new values", () => {
  const onOff = { type: "boolean", configId: "model", name: "Model", currentValue: true };
  const { id, ...list } = select("small", "small", "large") as { readonly id: string };
  const messages = [
    ...opened("s", { configOptions: [{ ...list, configId: id }] }),
    update("s", { sessionUpdate: "config_option_update", configOptions: [onOff] }),
    asks(1, "session/set_config_option", { sessionId: "s", configId: "model", type: "boolean", value: false }),
  ];
  expect(wrongIn(messages, 2)).toEqual([]);
});

test("a value that no option ever had is reported, however often the options were", () => {
  const values = Array.from({ length: 50 }, (_, index) => `${index}`);
  const told = { sessionUpdate: "config_option_update", configOptions: [select("0", ...values)] };
  const messages = [
    ...opened("s", { configOptions: told.configOptions }),
    ...Array.from({ length: 300 }, () => update("s", told)),
    choose(1, "other"),
  ];
  expect(wrongIn(messages)).toEqual([`${messages.length - 1} /value: is no value that the option has (CONF-13)`]);
});
