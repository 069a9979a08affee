import { describe, expect, test } from "vitest";
import { applyRules } from "./apply-rules.ts";
import { readModel } from "./read-model.ts";
import { parseRules, type Rules } from "./rules.ts";
import type { JsonSchema } from "./schema-document.ts";

const message = (method: string, side: string, rest: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties: {},
  ...rest,
  "x-method": method,
  "x-side": side,
});
const tagged = (tag: string, ...values: readonly string[]): JsonSchema => ({
  oneOf: values.map((value) => ({ type: "object", properties: { [tag]: { const: value } }, required: [tag] })),
});

const stable: Record<string, JsonSchema> = {
  NewRequest: message("new", "agent", { properties: { prompt: { type: "object" } } }),
  NewResponse: message("new", "agent", { properties: { modes: { type: "string" } } }),
  AskRequest: message("ask", "client", tagged("mode", "form", "url")),
  AskResponse: message("ask", "client"),
  CancelNotification: message("cancel", "agent"),
  PingNotification: message("$/ping", "protocol"),
  AgentCaps: {
    type: "object",
    properties: { load: { type: "boolean" }, nested: { anyOf: [{ $ref: "#/$defs/Nested" }, { type: "null" }] } },
  },
  Nested: { type: "object", properties: { deep: { type: "object" }, text: { type: "string" } } },
  ClientCaps: { type: "object", properties: { ask: { type: "object", properties: { form: { type: "object" } } } } },
  Update: tagged("is", "text", "notice"),
  Login: tagged("type", "agent"),
  File: {
    type: "object",
    properties: {
      path: { type: "string" },
      line: { type: ["integer", "null"] },
      roots: { type: "array", items: { $ref: "#/$defs/Path" } },
      caps: { $ref: "#/$defs/Nested" },
    },
    required: ["path"],
  },
  Path: { type: "string" },
};
const unstable: Record<string, JsonSchema> = {
  ...stable,
  ForkRequest: message("fork", "agent", { properties: { from: { type: "string" } } }),
  ForkResponse: message("fork", "agent"),
  Update: tagged("is", "text", "notice", "draft"),
  Extra: tagged("type", "x"),
};
const model = readModel({ $defs: stable });
const wider = readModel({ $defs: unstable });

function rules(rest: object): Rules {
  const capabilities = { agent: "AgentCaps", client: "ClientCaps" };
  return parseRules(JSON.stringify({ protocolVersion: 7, capabilities, ...rest }), "rules.json");
}

const method = (name: string, rest: object): unknown =>
  applyRules(model, rules(rest)).methods.find((candidate) => candidate.name === name);

describe("applyRules()", () => {
  test("sets the version, and the methods that open sessions, end turns and skip the queue", () => {
    const given = {
      opensSession: { new: "result" },
      endsSession: ["ask"],
      endsTurn: ["new"],
      unqueued: ["cancel"],
      openUnions: ["Update"],
    };
    expect(applyRules(model, rules(given))).toMatchObject({ protocolVersion: 7, openUnions: ["Update"] });
    expect(method("new", given)).toMatchObject({ opensSession: "result", endsTurn: true });
    expect(method("cancel", given)).toMatchObject({ unqueued: true });
    expect(method("ask", given)).toMatchObject({ endsSession: true });
    expect(method("new", given)).not.toHaveProperty("endsSession");
    expect(method("cancel", given)).not.toHaveProperty("endsTurn");
  });

  test("lets requests that name a session need an open one, unless they open it or take any", () => {
    const session = { properties: { sessionId: { type: "string" } }, required: ["sessionId"] };
    const $defs = Object.fromEntries(
      ["say", "load", "forget"].flatMap((name) => [
        [`${name}Request`, message(name, "agent", session)],
        [`${name}Response`, message(name, "agent")],
      ]),
    );
    const named = readModel({ $defs: { ...stable, ...$defs, TellNotification: message("tell", "agent", session) } });
    const { methods } = applyRules(named, rules({ opensSession: { load: "params" }, anySession: ["forget"] }));
    expect(methods.filter((one) => one.needsOpenSession).map(({ name }) => name)).toEqual(["say"]);
  });

  test("follows capability paths in the schema and tells booleans from objects", () => {
    expect(method("new", { gates: { new: [{ capability: "load" }, { capability: "nested.deep" }] } })).toMatchObject({
      gates: [
        { kind: "capability", path: ["load"], value: "boolean" },
        { kind: "capability", path: ["nested", "deep"], value: "object" },
      ],
    });
  });

  test("writes gates of a mode, of the caller, of a session member and of login methods", () => {
    const gates = [
      { capability: "ask.form", when: { mode: "form" } },
      { capability: "load", of: "agent" },
      { session: "modes" },
      { authMethod: "agent" },
      { authMethod: true },
    ];
    expect(method("ask", { opensSession: { new: "result" }, gates: { ask: gates } })).toMatchObject({
      gates: [
        { path: ["ask", "form"], when: { member: "mode", value: "form" } },
        { path: ["load"], by: "caller" },
        { kind: "session", member: "modes" },
        { kind: "authMethod", type: "agent" },
        { kind: "authMethod" },
      ],
    });
  });

  test("gates variants by the capabilities of the sender's peer", () => {
    const variants = { Update: { sender: "agent", gates: { notice: "ask.form" } } };
    expect(applyRules(model, rules({ variants })).variantGates).toEqual([
      {
        union: "Update",
        tag: "notice",
        sender: "agent",
        gate: { kind: "capability", path: ["ask", "form"], value: "object" },
      },
    ]);
  });

  test("gates members of the params that open a session", () => {
    const given = rules({
      opensSession: { new: "result" },
      setup: { prompt: [{ capability: "nested" }, { capability: "nested.deep", when: { mode: "deep" } }] },
    });
    expect(applyRules(model, given).setupGates).toEqual({
      prompt: [
        { kind: "capability", path: ["nested"], value: "object" },
        { kind: "capability", path: ["nested", "deep"], value: "object", when: { member: "mode", value: "deep" } },
      ],
    });
  });

  test("has members tolerated that the schema does not say it of", () => {
    const { definitions } = applyRules(model, rules({ tolerated: ["AgentCaps.load"] }));
    const tolerated = (all: typeof definitions): unknown[] => {
      const shape = all.get("AgentCaps")?.shape;
      return shape?.kind === "object" ? shape.members.flatMap((one) => (one.defaultOnError ? [one.name] : [])) : [];
    };
    expect(tolerated(model.definitions)).toEqual([]);
    expect(tolerated(definitions)).toEqual(["load"]);
  });

  test("takes rules for strings, numbers and their lists, by reference or null as well", () => {
    const values = { path: ["File.path", "File.roots"], line: ["File.line"] };
    expect(() => applyRules(model, rules({ values }))).not.toThrow();
  });

  test("leaves out rules that only another schema of the version needs", () => {
    const given = rules({
      opensSession: { fork: "result" },
      openUnions: ["Extra"],
      gates: { fork: [{ capability: "load" }] },
      variants: {
        Update: { sender: "agent", gates: { draft: "ask.form" } },
        Extra: { sender: "agent", gates: { x: "ask" } },
      },
      setup: { from: [{ capability: "load" }] },
    });
    expect(applyRules(model, given, [wider])).toMatchObject({ openUnions: [], variantGates: [], setupGates: {} });
    expect(applyRules(wider, given, [model])).toMatchObject({
      openUnions: ["Extra"],
      variantGates: [{}, {}],
      setupGates: { from: [{}] },
    });
  });

  test.each<[string, object, RegExp]>([
    ["an unknown method", { gates: { gone: [] } }, /gates: the schema has no method gone/],
    [
      "a session that a notification ends",
      { endsSession: ["cancel"] },
      /endsSession: the schema has no request cancel/,
    ],
    ["any session of a notification", { anySession: ["cancel"] }, /anySession: the schema has no request cancel/],
    ["a turn that a notification ends", { endsTurn: ["cancel"] }, /endsTurn: the schema has no request cancel/],
    ["a request that is not queued", { unqueued: ["new"] }, /unqueued: the schema has no notification new/],
    [
      "an unknown capability",
      { gates: { new: [{ capability: "nested.gone" }] } },
      /AgentCaps has no capability nested\.gone/,
    ],
    [
      "a capability that is a string",
      { gates: { new: [{ capability: "nested.text" }] } },
      /neither a boolean nor an object/,
    ],
    [
      "an unknown mode",
      { gates: { ask: [{ capability: "ask", when: { mode: "gone" } }] } },
      /AskRequest has no variant/,
    ],
    ["nobody's capability", { gates: { "$/ping": [{ capability: "load" }] } }, /whose capability/],
    ["an unknown session member", { gates: { new: [{ session: "gone" }] } }, /answers with gone/],
    ["an unknown union", { variants: { Gone: { sender: "agent", gates: {} } } }, /Gone is not a tagged union/],
    ["an unknown variant", { variants: { Update: { sender: "agent", gates: { gone: "ask" } } } }, /no variant "gone"/],
    [
      "a member that opens no session",
      { opensSession: { new: "result" }, setup: { from: [{ capability: "load" }] } },
      /no request that opens a session has a member from/,
    ],
    [
      "a setup that asks for another thing than a capability",
      { opensSession: { new: "result" }, setup: { prompt: [{ authMethod: true }] } },
      /setup\["prompt"\]\[0\]: only a capability/,
    ],
    ["tolerating what is no member", { tolerated: ["AgentCaps.nothing"] }, /there is no member AgentCaps.nothing/],
    [
      "tolerating what nothing can stand for",
      { tolerated: ["File.path"] },
      /tolerated: File\.path is required and has/,
    ],
    [
      "a path that is a number",
      { values: { path: ["File.line"] } },
      /values\.path: File\.line is no string: .* integer$/,
    ],
    [
      "a line that is a string",
      { values: { line: ["File.roots"] } },
      /values\.line: File\.roots is no integer: .* string$/,
    ],
    [
      "base64 that is an object",
      { values: { base64: ["File.caps"] } },
      /values\.base64: File\.caps is no string: .* object$/,
    ],
    ["a path with a member too many", { values: { path: ["File.path.x"] } }, /the schema has no member File\.path\.x/],
    [
      "a member with two rules",
      { values: { path: ["File.path"], command: ["File.path"] } },
      /is in values\.path already/,
    ],
    ["an unknown login method", { gates: { new: [{ authMethod: "gone" }] } }, /no login method of the type gone/],
    ["opening what is no union", { openUnions: ["Nested"] }, /Nested is not a tagged union/],
    ["often reading what is not there", { hot: ["Gone"] }, /hot: Gone is not a definition/],
  ])("throws for %s", (_, given, message_) => {
    expect(() => applyRules(model, rules(given), [wider])).toThrow(message_);
  });
});

describe("applyRules() errors", () => {
  test("name the file and list every rule that does not fit, once", () => {
    const given = rules({
      opensSession: { gone: "result" },
      hot: ["Gone"],
      tolerated: ["AgentCaps.gone", "AgentCaps.load"],
      gates: { gone: [], new: [{ capability: "gone" }, { capability: "load" }, { session: "gone" }] },
      variants: { Update: { sender: "agent", gates: { gone: "ask", notice: "gone" } } },
      setup: { gone: [] },
      values: { path: ["Gone.path"] },
    });
    const error: unknown = (() => {
      try {
        return applyRules(model, given, [wider]);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(String(error).replace("SchemaError: ", "").split("\n")).toEqual([
      "rules.json: opensSession: the schema has no method gone",
      "rules.json: gates: the schema has no method gone",
      "rules.json: hot: Gone is not a definition of the schema",
      "rules.json: values.path: the schema has no member Gone.path",
      "rules.json: tolerated: there is no member AgentCaps.gone",
      'rules.json: gates["new"][0]: AgentCaps has no capability gone',
      'rules.json: gates["new"][2]: no request that opens a session answers with gone',
      'rules.json: variants["Update"]: Update has no variant "gone"',
      'rules.json: variants["Update"].gates["notice"]: ClientCaps has no capability gone',
      'rules.json: setup["gone"]: no request that opens a session has a member gone',
    ]);
  });
});

describe("parseRules()", () => {
  test.each<[string, string, string]>([
    ["text that is not JSON", "{", "rules.json is not JSON"],
    ["a list", "[]", "rules.json: expected an object"],
    ["no version", "{}", "rules.json: protocolVersion: expected an integer"],
    ["an unknown entry", '{"protocolVersion":1,"gate":{}}', "rules.json: gate: expected one of protocolVersion"],
    ["gates that are no list", '{"protocolVersion":1,"gates":{"a":{}}}', 'rules.json: gates["a"]: expected a list'],
    ["an empty gate", '{"protocolVersion":1,"gates":{"a":[{}]}}', 'gates["a"][0]: expected one of capability'],
    [
      "`when` without capability",
      '{"protocolVersion":1,"gates":{"a":[{"session":"m","when":{}}]}}',
      "only beside a capability",
    ],
    ["an unknown side", '{"protocolVersion":1,"gates":{"a":[{"capability":"m","of":"me"}]}}', '"agent" or "client"'],
    ["an unknown origin of sessions", '{"protocolVersion":1,"opensSession":{"a":"here"}}', '"params" or "result"'],
    ["names that are no strings", '{"protocolVersion":1,"endsTurn":[1]}', "endsTurn[0]: expected a string"],
  ])("throws for %s", (_, text, message_) => {
    expect(() => parseRules(text, "rules.json")).toThrow(message_);
  });
});
