import { expect, test } from "vitest";

import { adaptSchema } from "./adapt-schema.ts";

const text = { type: "string" };

test.each([
  ["no properties", { type: "object" }, { type: "object", properties: {} }],
  ["nothing at all", {}, { type: "object", properties: {} }],
  [
    "alternatives at the top",
    {
      oneOf: [
        { type: "object", properties: { id: { type: "integer" }, all: text }, required: ["id", "all"] },
        { type: "object", properties: { name: text, all: text }, required: ["name", "all"] },
      ],
    },
    { type: "object", properties: { id: { type: "integer" }, name: text, all: text }, required: ["all"] },
  ],
  [
    "anyOf beside properties",
    { type: "object", properties: { a: text, b: text }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    { type: "object", properties: { a: text, b: text }, required: [] },
  ],
  [
    "allOf at the top",
    {
      allOf: [
        { properties: { a: text }, required: ["a"] },
        { properties: { b: text }, required: ["b"] },
      ],
    },
    { type: "object", properties: { a: text, b: text }, required: ["a", "b"] },
  ],
  [
    "a reference at the top",
    { $ref: "#/$defs/Input", $defs: { Input: { type: "object", properties: { a: text }, required: ["a"] } } },
    {
      type: "object",
      properties: { a: text },
      required: ["a"],
      $defs: { Input: { type: "object", properties: { a: text }, required: ["a"] } },
    },
  ],
  [
    "types of other languages",
    {
      type: "dict",
      properties: { a: { type: "int" }, b: { type: "list", items: { type: "str" } }, c: { type: "any" } },
    },
    { type: "object", properties: { a: { type: "integer" }, b: { type: "array", items: text }, c: {} } },
  ],
  [
    "lists without items, empty enums, boolean schemas",
    { type: "object", properties: { a: { type: "array" }, b: { enum: [] }, c: true } },
    { type: "object", properties: { a: { type: "array", items: {} }, b: {}, c: {} } },
  ],
  [
    "an argument that is required and does not exist",
    { type: "object", properties: { a: text }, required: ["a", "b"] },
    { type: "object", properties: { a: text }, required: ["a"] },
  ],
  [
    "one argument with two types",
    { oneOf: [{ properties: { a: text } }, { properties: { a: { type: "null" } } }] },
    { type: "object", properties: { a: { anyOf: [text, { type: "null" }] } }, required: [] },
  ],
  [
    "draft 7 and its identifiers",
    { $schema: "http://json-schema.org/draft-07/schema#", $id: "x", type: "object", properties: {} },
    { type: "object", properties: {} },
  ],
])("adaptSchema() rewrites %s", (_, schema, expected) => {
  expect(adaptSchema(schema)).toEqual(expected);
});

test.each([
  ["a list", { type: "array", items: text }, 'its inputSchema is one of "array", and arguments are an object'],
  ["a reference to elsewhere", { $ref: "https://x.example/y" }, "its inputSchema refers to https://x.example/y, which"],
  ["a reference to itself", { $ref: "#" }, "its inputSchema refers to #, which"],
  ["references in a circle", { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }, "refers to #/$defs/a, which"],
  ["a name that models cannot have", { properties: { "a b": text } }, 'models cannot have the argument "a b"'],
  ["too much", { properties: { a: { description: "x".repeat(60_000) } } }, "which is too much for a model"],
  ["deep nesting", JSON.parse(`${'{"items":'.repeat(60)}{}${"}".repeat(60)}`), "nested too deep"],
])("adaptSchema() refuses %s", (_, schema, reason) => {
  expect(() => adaptSchema(schema as Record<string, unknown>)).toThrow(reason);
});
