import { describe, expect, test } from "vitest";
import { readModel } from "./read-model.ts";
import type { JsonSchema } from "./schema-document.ts";
import type { ProtocolModel, Shape } from "./protocol-model.ts";

const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const string: JsonSchema = { type: "string" };

function shapeOf(schema: object, more: Record<string, JsonSchema> = {}): Shape {
  return readStrictly({ X: schema, ...more }).definitions.get("X")!.shape;
}

function readStrictly($defs: Readonly<Record<string, object>>): ProtocolModel {
  return readModel({ $defs }, () => {}, true);
}

function memberOf(schema: object, required: readonly string[] = []): unknown {
  const shape = shapeOf({ type: "object", properties: { m: schema }, required });
  return shape.kind === "object" ? shape.members[0] : undefined;
}

const plain = {
  required: false,
  nullable: false,
  defaultOnError: false,
  defaultOnNull: false,
  skipInvalidItems: false,
};

const variant = (tag: string, value: string, payload?: string): JsonSchema => ({
  type: "object",
  properties: { [tag]: { type: "string", const: value } },
  required: [tag],
  ...(payload !== undefined && { allOf: [ref(payload)] }),
});

const other = (tag: string, ...known: readonly string[]): JsonSchema => ({
  title: "other",
  type: "object",
  properties: { [tag]: string },
  required: [tag],
  not: { anyOf: known.map((value) => variant(tag, value)) },
  additionalProperties: true,
});

describe("readModel() scalars", () => {
  test.each<[string, object, Shape]>([
    ["anything", {}, { kind: "any" }],
    ["a string", { type: "string", format: "uri" }, { kind: "string", format: "uri" }],
    ["base64", { type: "string", contentEncoding: "base64" }, { kind: "string", encoding: "base64" }],
    ["a minimum length", { type: "string", minLength: 2 }, { kind: "string", minLength: 2 }],
    ["a pattern", { type: "string", pattern: "^[A-Z]{3}$" }, { kind: "string", pattern: "^[A-Z]{3}$" }],
    ["a boolean", { type: "boolean" }, { kind: "boolean" }],
    ["a constant", { type: "string", const: "a" }, { kind: "constant", value: "a" }],
    ["a double", { type: "number", format: "double" }, { kind: "number", format: "double" }],
    ["an int64", { type: "integer", format: "int64" }, { kind: "integer", format: "int64" }],
    ["a uint64", { type: "integer", format: "uint64", minimum: 0 }, { kind: "integer", format: "uint64", minimum: 0 }],
    ["a reference", { allOf: [ref("Y")] }, { kind: "reference", name: "Y" }],
    ["a nullable type", { type: ["string", "null"] }, { kind: "nullable", shape: { kind: "string" } }],
    [
      "a nullable reference",
      { anyOf: [ref("Y"), { type: "null" }] },
      { kind: "nullable", shape: { kind: "reference", name: "Y" } },
    ],
    ["a free object", { type: "object", additionalProperties: true }, { kind: "map", values: { kind: "any" } }],
    ["a map", { type: "object", additionalProperties: string }, { kind: "map", values: { kind: "string" } }],
    [
      "a list",
      { type: "array", items: string, minItems: 1 },
      { kind: "array", items: { kind: "string" }, minItems: 1 },
    ],
  ])("reads %s", (_, schema, shape) => {
    expect(shapeOf(schema, { Y: string })).toEqual(shape);
  });

  test("takes the tighter of the format's bounds and the schema's", () => {
    expect(shapeOf({ type: "integer", format: "uint16", minimum: 1, maximum: 99_999 })).toEqual({
      kind: "integer",
      format: "uint16",
      minimum: 1,
      maximum: 65_535,
    });
    expect(shapeOf({ type: "integer", format: "int32" })).toMatchObject({
      minimum: -2_147_483_648,
      maximum: 2_147_483_647,
    });
  });

  test("reads closed and open enumerations", () => {
    expect(
      shapeOf({
        oneOf: [
          { type: "string", const: "a" },
          { const: "b", description: "B." },
        ],
      }),
    ).toEqual({
      kind: "enumeration",
      base: "string",
      values: [{ value: "a" }, { value: "b", docs: "B." }],
    });
    expect(shapeOf({ anyOf: [{ const: -1 }, { title: "Other", type: "integer", format: "int32" }] })).toMatchObject({
      base: "integer",
      open: { kind: "integer", format: "int32" },
    });
    expect(shapeOf({ type: "string", enum: ["2.0"] })).toMatchObject({ values: [{ value: "2.0" }] });
  });

  test("reads a value that the branch for all others refuses as a branch of its own", () => {
    expect(shapeOf({ anyOf: [{ const: "" }, { type: "string", minLength: 3 }] })).toEqual({
      kind: "alternatives",
      exclusive: false,
      branches: [{ shape: { kind: "constant", value: "" } }, { shape: { kind: "string", minLength: 3 } }],
    });
  });

  test("reads keywords next to a reference as a second part, even when they do not name their type", () => {
    expect(shapeOf({ ...ref("Y"), pattern: "^a" }, { Y: string })).toEqual({
      kind: "intersection",
      parts: [
        { kind: "string", pattern: "^a" },
        { kind: "reference", name: "Y" },
      ],
    });
  });
});

describe("readModel() one of several", () => {
  const branch = (more: JsonSchema): JsonSchema => ({
    type: "object",
    properties: { a: string },
    required: ["a"],
    ...more,
  });
  const isExclusive = (...oneOf: readonly JsonSchema[]): unknown =>
    Reflect.get(shapeOf({ oneOf }, { Code: { type: "string", pattern: "^a" } }), "exclusive");

  test("holds a value to exactly one branch where all that tells them apart is checked", () => {
    expect(isExclusive(branch({ title: "A" }), branch({ properties: { a: string, b: string } }))).toBe(true);
  });

  test("does not where only validators see the difference", () => {
    expect(isExclusive(branch({ not: { required: ["b"] } }), branch({ maxItems: 2 }))).toBe(false);
    expect(isExclusive(branch({ additionalProperties: false }), branch({}))).toBe(false);
    expect(isExclusive({ type: "string", format: "uri" }, ref("Code"))).toBe(false);
  });
});

describe("readModel() objects", () => {
  test("marks deprecated members", () => {
    expect(memberOf({ type: "string", description: "Says so.", deprecated: true })).toMatchObject({
      docs: "Says so.",
      deprecated: true,
    });
    const { definitions } = readModel({ $defs: { X: { ...string, deprecated: true } } });
    expect(definitions.get("X")).toMatchObject({ deprecated: true });
  });

  test("reads members with docs, defaults, hints, null and whether they are required", () => {
    expect(memberOf({ type: "string", description: "Says so." }, ["m"])).toEqual({
      ...plain,
      name: "m",
      docs: "Says so.",
      shape: { kind: "string" },
      required: true,
    });
    expect(
      memberOf({
        type: ["array", "null"],
        items: string,
        default: [],
        "x-deserialize-default-on-error": true,
        "x-deserialize-skip-invalid-items": true,
      }),
    ).toEqual({
      ...plain,
      name: "m",
      shape: { kind: "array", items: { kind: "string" } },
      nullable: true,
      default: [],
      defaultOnError: true,
      skipInvalidItems: true,
    });
    expect(memberOf({ type: "array", items: string, "x-deserialize-default-on-null": true })).toMatchObject({
      defaultOnNull: true,
    });
  });

  test.each<[string, object, unknown]>([
    ["null", { type: ["string", "null"] }, null],
    ["a value of an open list", { anyOf: [{ const: "a" }, string] }, "b"],
    ["one of a few types", { anyOf: [string, { type: "integer" }] }, 1],
    ["an object of a definition", { allOf: [ref("Y")] }, { y: "", more: 1 }],
    ["a variant", { allOf: [ref("Z")] }, { kind: "a" }],
  ])("takes a default that is %s", (_, schema, value) => {
    const more: Record<string, JsonSchema> = {
      Y: { type: "object", properties: { y: string }, required: ["y"] },
      Z: { oneOf: [variant("kind", "a")] },
    };
    const object = { type: "object", properties: { m: { ...schema, default: value } } };
    expect(shapeOf(object, more)).toMatchObject({ members: [{ default: value }] });
  });

  test("tells members named like keywords from keywords", () => {
    const names = ["description", "enum", "const", "oneOf", "anyOf", "properties", "required", "default", "title"];
    const shape = shapeOf({ type: "object", properties: Object.fromEntries(names.map((name) => [name, string])) });
    expect(shape.kind === "object" && shape.members.map((member) => member.name)).toEqual(names);
  });

  test("skips keywords that do not restrict values", () => {
    const told = { examples: ["a"], readOnly: true, writeOnly: false, $comment: "for authors" };
    const schema = { type: "object", ...told, properties: { a: { ...string, ...told } } };
    expect(shapeOf(schema)).toMatchObject({ members: [{ name: "a", shape: { kind: "string" } }] });
  });

  test("takes branches that require members described next to them", () => {
    const branches = [{ required: ["a"] }, { required: ["b"] }];
    const shape = shapeOf({ type: "object", properties: { a: string, b: string }, anyOf: branches });
    const member = { name: "a", required: true, shape: { kind: "any" } };
    expect(shape).toMatchObject({ union: { branches: [{ shape: { members: [member] } }, {}] } });
  });

  test.each<[string, JsonSchema, string]>([
    ["nowhere", { type: "object", properties: { a: string }, required: ["a", "b"] }, "required"],
    ["in what is included only", { type: "object", allOf: [ref("Y")], required: ["b"] }, "required"],
    [
      "outside of a member",
      { type: "object", properties: { b: { type: "object", properties: {}, required: ["b"] } } },
      "properties/b/required",
    ],
  ])("refuses a member that is required and described %s", (_, schema, place) => {
    const included = { Y: { type: "object", properties: { b: string } } };
    const message = `Definition X at /${place}: \`properties\` beside it has no \`b\``;
    expect(() => shapeOf(schema, included)).toThrow(message);
  });
});

describe("readModel() unions", () => {
  const payload: JsonSchema = { type: "object", properties: { x: string } };

  test("reads a tagged union, its discriminator and its sibling members", () => {
    const shape = shapeOf(
      {
        type: "object",
        properties: { id: string },
        required: ["id"],
        oneOf: [variant("kind", "a", "P"), variant("kind", "b")],
        discriminator: { propertyName: "kind" },
      },
      { P: payload },
    );
    expect(shape).toMatchObject({
      kind: "object",
      members: [{ name: "id" }],
      union: {
        kind: "tagged",
        tag: "kind",
        variants: [
          { value: "a", shape: { members: [], includes: ["P"] } },
          { value: "b", shape: { members: [], includes: [] } },
        ],
      },
    });
  });

  test("reads the branch for unknown variants", () => {
    const shape = shapeOf({ anyOf: [variant("kind", "a"), variant("kind", "b"), other("kind", "a", "b")] });
    expect(shape).toMatchObject({ union: { other: { title: "other", shape: { members: [] } } } });
  });

  test("reads the untagged branch, whose title may serve as the tag where the union is closed", () => {
    const untagged = { title: "stdio", allOf: [ref("P")] };
    const closed = shapeOf({ anyOf: [variant("type", "http"), untagged] }, { P: payload });
    expect(closed).toMatchObject({ union: { fallback: { value: "stdio", shape: { includes: ["P"] } } } });
    const open = shapeOf({ anyOf: [variant("type", "http"), other("type", "http"), untagged] }, { P: payload });
    expect(open).toMatchObject({ union: { fallback: { value: null } } });
  });

  test("reads branches that only trial decoding can distinguish", () => {
    expect(shapeOf({ oneOf: [{ title: "S", type: "string" }, { type: "integer" }] })).toEqual({
      kind: "alternatives",
      exclusive: true,
      branches: [{ title: "S", shape: { kind: "string" } }, { shape: { kind: "integer" } }],
    });
  });
});

describe("readModel() methods", () => {
  test("takes the earlier name for methods that both sides handle", () => {
    const cancel = { type: "object", "x-method": "$/cancel", "x-side": "both" };
    expect(readModel({ $defs: { CancelNotification: cancel } }).methods).toMatchObject([{ side: "protocol" }]);
  });

  const message = (method: string, side: string): JsonSchema => ({
    type: "object",
    "x-method": method,
    "x-side": side,
  });

  test("pairs requests with responses and tells a request from a notification of the same name", () => {
    const { methods } = readModel({
      $defs: {
        PingRequest: { ...message("ping", "client"), description: "Pings." },
        PingResponse: message("ping", "client"),
        PingNotification: message("ping", "agent"),
        Envelope: { type: "object", "x-docs-ignore": true },
      },
    });
    expect(methods).toEqual([
      {
        name: "ping",
        side: "client",
        kind: "request",
        params: "PingRequest",
        result: "PingResponse",
        gates: [],
        docs: "Pings.",
      },
      { name: "ping", side: "agent", kind: "notification", params: "PingNotification", gates: [] },
    ]);
  });

  test.each<[string, Record<string, JsonSchema>, RegExp]>([
    ["without a response", { PingRequest: message("ping", "agent") }, /PingRequest: no definition PingResponse/],
    ["without a request", { PingResponse: message("ping", "agent") }, /PingResponse: no definition PingRequest/],
    [
      "of two sides",
      { PingRequest: message("ping", "agent"), PingResponse: message("ping", "client") },
      /PingResponse.*differ/,
    ],
    ["of nobody", { PingNotification: message("ping", "nobody") }, /PingNotification.*"nobody"/],
    ["without a suffix", { Ping: message("ping", "agent") }, /Ping: .*Request, Response or Notification/],
    [
      "twice",
      { ANotification: message("a", "agent"), BNotification: message("a", "agent") },
      /BNotification: a second/,
    ],
  ])("throws for a method %s", (_, $defs, message_) => {
    expect(() => readModel({ $defs })).toThrow(message_);
  });
});

describe("readModel() rejects a schema that it cannot express, and names the place", () => {
  const open = { anyOf: [variant("kind", "a"), other("kind", "b")] };
  test.each<[string, object, RegExp]>([
    ["a pattern that is none", { type: "string", pattern: "(" }, /X at \/pattern: Invalid regular expression/],
    ["an unknown keyword", { type: "string", maxLenght: 3 }, /Definition X: the keyword `maxLenght`/],
    ["an unknown type", { type: "tuple" }, /tuple/],
    ["values of another type", { type: "integer", enum: ["a"] }, /not of the type "integer"/],
    ["a constant of another type", { type: "string", const: 5 }, /a constant that is not of the type "string"/],
    ["a foreign reference", { $ref: "other.json#/X" }, /other\.json/],
    ["a dangling reference", { allOf: [ref("Gone")] }, /refers to Gone/],
    ["a definition of itself", { allOf: [ref("X")] }, /stands for itself/],
    [
      "a wrong discriminator",
      { oneOf: [variant("kind", "a")], discriminator: { propertyName: "type" } },
      /discriminator/,
    ],
    ["an open branch that forgets a variant", open, /does not exclude exactly/],
    [
      "a variant with the tag of unknown ones",
      { oneOf: [variant("t", "a"), variant("t", "unknown variant")] },
      /oneOf\/1: "unknown variant" is the tag of variants/,
    ],
    ["a constant twice", { oneOf: [{ const: "a" }, { const: "b" }, { const: "a" }] }, /oneOf: a second value "a"/],
    ["a value twice", { enum: ["a", "a", "b"] }, /Definition X: a second value "a"/],
    [
      "bounds without a number between",
      { type: "integer", minimum: 3, maximum: 2 },
      /minimum 3 is above the maximum 2/,
    ],
    ["a bound outside of the format's", { type: "integer", format: "uint8", minimum: 256 }, /above the maximum 255/],
    ["members that are null", { type: "object", properties: null }, /Definition X: `properties` is not an object/],
    [
      "a required member that is no name",
      { type: "object", required: ["x", 5] },
      /at \/required\/1: expected the name/,
    ],
    ["a required member twice", { type: "object", required: ["x", "x"] }, /at \/required\/1: x is listed twice/],
    [
      "skipping items of no list",
      { type: "object", properties: { a: { type: "string", "x-deserialize-skip-invalid-items": true } } },
      /properties\/a: .*skip-invalid-items/,
    ],
    [
      "null for empty where null is a value",
      { type: "object", properties: { a: { type: ["array", "null"], "x-deserialize-default-on-null": true } } },
      /default-on-null/,
    ],
    [
      "tolerance without a substitute",
      {
        type: "object",
        properties: { a: { type: "string", "x-deserialize-default-on-error": true } },
        required: ["a"],
      },
      /nothing can take its place/,
    ],
    [
      "a hint that is no boolean",
      { type: "object", properties: { a: { type: "string", "x-deserialize-default-on-error": "yes" } } },
      /not a boolean/,
    ],
  ])("%s", (_, schema, message) => {
    expect(() => shapeOf(schema)).toThrow(message);
  });

  test("the members of a text", () => {
    const schema = { type: "object", properties: { m: { allOf: [ref("Y"), ref("X")] } } };
    const message = "Definition X at /properties/m: has the members of Y, which is no object";
    expect(() => shapeOf(schema, { Y: string })).toThrow(message);
    expect(() => shapeOf(schema, { Y: { anyOf: [string, { type: "object", properties: {} }] } })).not.toThrow();
  });

  test.each<[string, object, unknown]>([
    ["text for an integer", { type: "integer", "x-deserialize-default-on-error": true }, "zz"],
    ["a fraction", { type: "integer" }, 1.5],
    ["a number out of bounds", { type: "integer", format: "uint8" }, 256],
    ["a short text", { type: "string", minLength: 2 }, "a"],
    ["null where that is no value", { type: "boolean" }, null],
    ["another constant", { enum: ["a", "b"] }, "c"],
    ["a list with a bad item", { type: "array", items: string }, ["a", 1]],
    ["an entry that is bad", { type: "object", additionalProperties: string }, { a: 1 }],
    ["what a definition refuses", { allOf: [ref("Y")] }, {}],
    ["no known variant", { allOf: [ref("Z")] }, { kind: "b" }],
  ])("a default that is %s", (_, schema, value) => {
    const member = { ...schema, default: value };
    const inner = { type: "object", properties: { a: member } };
    const more: Record<string, JsonSchema> = {
      Y: { type: "object", properties: { y: string }, required: ["y"] },
      Z: { oneOf: [variant("kind", "a")] },
    };
    expect(() => shapeOf(inner, more)).toThrow(/X at \/properties\/a: the default .* is not a value of the member/);
    expect(() => shapeOf({ type: "object", properties: { o: inner } }, more)).toThrow(/X at \/properties\/o\/prop/);
  });

  test("definitions whose names differ in case only", () => {
    const message = /Definition Foobar: it differs from FooBar in case only/;
    expect(() => readStrictly({ FooBar: string, Foobar: string })).toThrow(message);
  });

  test("a name without a letter that a type can have", () => {
    expect(() => readStrictly({ "+": string })).toThrow(/Definition \+: has no letter .*; rename the definition/);
  });

  test("all places at once", () => {
    const bad = { $ref: "other.json" };
    const $defs = { X: { type: "object", properties: { a: bad, b: bad } }, Y: { type: "tuple" } };
    expect(() => readStrictly($defs)).toThrow(/X at \/properties\/a: .*\n.*X at \/properties\/b: .*\n.*Definition Y: /);
  });
});
