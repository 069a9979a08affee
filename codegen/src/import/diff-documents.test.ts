import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../model/schema-document.ts";
import { diffDocuments, formatChanges } from "./diff-documents.ts";

const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const string: JsonSchema = { type: "string" };
const object = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  type: "object",
  properties,
  required,
});
const variant = (value: string, payload: string): JsonSchema => ({
  ...object({ type: { const: value } }, ["type"]),
  allOf: [ref(payload)],
});
const other: JsonSchema = { title: "other", ...object({ type: string }, ["type"]), not: { anyOf: [] } };

function lines(before: Record<string, JsonSchema>, after: Record<string, JsonSchema>): readonly string[] {
  return diffDocuments({ $defs: before }, { $defs: after }).map(
    ({ change, what, name, detail, breaking }) =>
      `${breaking ? "!" : " "} ${change} ${what} ${name}${detail === "" ? "" : `: ${detail}`}`,
  );
}

const member = (schema: JsonSchema, required = false): Record<string, JsonSchema> => ({
  X: object({ m: schema }, required ? ["m"] : []),
});

describe("diffDocuments()", () => {
  test("finds nothing when only prose and order differ", () => {
    const before = { A: { ...string, description: "one" }, B: object({ x: string, y: string }) };
    const after = { B: object({ y: string, x: { ...string, description: "two" } }), A: string };
    expect(lines(before, after)).toEqual([]);
  });

  test.each<[string, Record<string, JsonSchema>, Record<string, JsonSchema>, readonly string[]]>([
    ["a new definition, once", {}, member(string), ["  added definition X: object"]],
    ["a removed definition, once", member(string), {}, ["! removed definition X: object"]],
    ["a new optional member", { X: object({}) }, member(string), ["  added member X.m: optional string"]],
    ["a new required member", { X: object({}) }, member(string, true), ["! added member X.m: required string"]],
    ["a removed member", member(string), { X: object({}) }, ["! removed member X.m: optional string"]],
    [
      "a member that became required",
      member(string),
      member(string, true),
      ["! changed member X.m: optional string -> required string"],
    ],
    [
      "a member of another type",
      member({ type: "array", items: ref("A") }),
      member({ anyOf: [ref("A"), { type: "null" }] }),
      ["! changed member X.m: optional list of A -> optional A | null"],
    ],
    [
      "a member with other bounds",
      member({ type: "integer", format: "int32" }),
      member({ type: "integer", format: "int64", minimum: 0 }),
      ["! changed member X.m: optional integer (format int32) -> optional integer (format int64, minimum 0)"],
    ],
    [
      "other hints",
      member(string),
      member({ ...string, "x-deserialize-default-on-error": true }),
      ["  changed member X.m: no hints -> x-deserialize-default-on-error: true"],
    ],
    [
      "what is no longer recommended",
      member(string),
      member({ ...string, deprecated: true }),
      ["  changed member X.m: no hints -> deprecated: true"],
    ],
    [
      "another default",
      member({ ...string, default: "a" }),
      member({ ...string, default: "b" }),
      ['  changed member X.m: default: "a" -> default: "b"'],
    ],
    [
      "a new variant of a closed union",
      { X: { oneOf: [variant("a", "A")] } },
      { X: { oneOf: [variant("a", "A"), variant("b", "B")] } },
      ['! added variant X = "b": object B'],
    ],
    [
      "a new variant of an open union",
      { X: { anyOf: [variant("a", "A"), other] } },
      { X: { anyOf: [variant("a", "A"), variant("b", "B"), other] } },
      ['  added variant X = "b": object B'],
    ],
    [
      "a removed variant",
      { X: { oneOf: [variant("a", "A"), variant("b", "B")] } },
      { X: { oneOf: [variant("a", "A")] } },
      ['! removed variant X = "b": object B'],
    ],
    [
      "a variant with another payload",
      { X: { oneOf: [variant("a", "A")] } },
      { X: { oneOf: [variant("a", "B")] } },
      ['! changed variant X = "a": object A -> object B'],
    ],
    [
      "a union that opened",
      { X: { anyOf: [variant("a", "A")] } },
      { X: { anyOf: [variant("a", "A"), other] } },
      ["  added variant X (any other): object"],
    ],
    [
      "a union that closed",
      { X: { anyOf: [variant("a", "A"), other] } },
      { X: { anyOf: [variant("a", "A")] } },
      ["! removed variant X (any other): object"],
    ],
    [
      "branches of which only one may fit",
      { X: { anyOf: [ref("A"), ref("B")] } },
      { X: { oneOf: [ref("A"), ref("B")] } },
      ["! changed definition X: - -> exactly one of its variants"],
    ],
    [
      "branches of a member of which only one may fit",
      member({ anyOf: [ref("A"), ref("B"), { type: "null" }] }),
      member({ oneOf: [ref("A"), ref("B"), { type: "null" }] }),
      ["! changed member X.m: optional A | B | null -> optional exactly one of A | B | null"],
    ],
    [
      "a new value of a closed enum",
      { X: { oneOf: [{ const: "a" }] } },
      { X: { oneOf: [{ const: "a" }, { const: "b" }] } },
      ['! added value X = "b"'],
    ],
    [
      "a new value of an open enum",
      { X: { anyOf: [{ const: "a" }, string] } },
      { X: { anyOf: [{ const: "a" }, { const: "b" }, string] } },
      ['  added value X = "b"'],
    ],
    [
      "another type deep inside of a member",
      member({ type: "array", items: object({ a: object({ b: string }, ["b"]) }) }),
      member({ type: "array", items: object({ a: object({ b: { type: "integer" } }, ["b"]) }) }),
      [
        "! changed member X.m: optional list of object { a?: object { b: string } } -> " +
          "optional list of object { a?: object { b: integer } }",
      ],
    ],
    [
      "a member that an object inside of another requires",
      member(object({ a: string })),
      member(object({ a: string, b: string }, ["b"])),
      ["! changed member X.m: optional object { a?: string } -> optional object { a?: string, b: string }"],
    ],
    [
      "a member of an object that may be null",
      member({ anyOf: [object({ a: string }), { type: "null" }] }),
      member({ anyOf: [object({ a: { type: "boolean" } }), { type: "null" }] }),
      ["! changed member X.m: optional object { a?: string } | null -> optional object { a?: boolean } | null"],
    ],
    [
      "a member inside a variant",
      { X: { oneOf: [{ ...object({ type: { const: "a" }, m: object({ a: string }) }, ["type"]) }] } },
      { X: { oneOf: [{ ...object({ type: { const: "a" }, m: object({ a: object({}) }) }, ["type"]) }] } },
      ['! changed member X = "a".m: optional object { a?: string } -> optional object { a?: object {} }'],
    ],
    ["what only is required", { X: object({}) }, { X: object({}, ["m"]) }, ["! added member X.m: required anything"]],
    [
      "an object that closed",
      member({ ...object({}), additionalProperties: true }),
      member({ ...object({}), additionalProperties: false }),
      [
        "! changed member X.m: optional object {} additionalProperties true -> " +
          "optional object {} additionalProperties false",
      ],
    ],
    [
      "a definition that closed",
      { X: { ...object({ m: string }), additionalProperties: true } },
      { X: { ...object({ m: string }), additionalProperties: false } },
      ["! changed definition X: object additionalProperties true -> object additionalProperties false"],
    ],
    [
      "a variant that is there twice",
      { X: { oneOf: [variant("a", "A")] } },
      { X: { oneOf: [variant("a", "A"), variant("a", "B")] } },
      ['! added variant X = "a" (2): object B'],
    ],
    [
      "a value that is there twice",
      { X: { oneOf: [{ const: "a" }] } },
      { X: { oneOf: [{ const: "a" }, { const: "a" }] } },
      ['! added value X = "a" (2)'],
    ],
    [
      "a hint deep inside of a member",
      member(object({ a: { ...string, default: "a" } })),
      member(object({ a: { ...string, default: "b" } })),
      ['  changed member X.m: default: "a" at /a -> default: "b" at /a'],
    ],
    [
      "another title of a branch",
      { X: { anyOf: [{ ...variant("a", "A"), title: "one" }] } },
      { X: { anyOf: [{ ...variant("a", "A"), title: "two" }] } },
      ['  changed variant X = "a": title: "one" -> title: "two"'],
    ],
    [
      "what is no schema",
      member(string),
      { X: { properties: null, required: 5, anyOf: 7 } as never },
      ["! changed definition X: object -> -", "! removed member X.m: optional string"],
    ],
  ])("reports %s", (_, before, after, expected) => {
    expect(lines(before, after)).toEqual(expected);
  });

  test("reports methods by name, side and kind, and no envelopes", () => {
    const ping = { "x-method": "ping", "x-side": "agent" };
    const before = { PingRequest: ping, PingResponse: ping, Frame: { "x-docs-ignore": true } };
    const after = { PingRequest: { ...ping, "x-side": "client" }, PingResponse: { ...ping, "x-side": "client" } };
    expect(lines(before, after)).toEqual([
      "  added method ping (client request)",
      "! removed method ping (agent request)",
    ]);
  });
});

describe("formatChanges()", () => {
  test("counts, and puts what breaks first", () => {
    const changes = diffDocuments({ $defs: member(string) }, { $defs: { X: object({ n: string }), Y: string } });
    expect(formatChanges(changes)).toBe(
      [
        "2 added, 1 removed, 0 changed; 1 breaking.",
        "",
        "Breaking",
        "  - removed member X.m: optional string",
        "",
        "Compatible",
        "  + added member X.n: optional string",
        "  + added definition Y: string",
        "",
      ].join("\n"),
    );
  });

  test("says so when nothing changed", () => {
    expect(formatChanges([])).toBe("No changes.\n");
  });
});
