/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of that name */
import { expect, test } from "vitest";
import { runtime } from "../../../../packages/validators/src/runtime/index.ts";
import { parseSchemaDocument } from "../../model/schema-document.ts";
import { emitValidators } from "./index.ts";

type Compiled = { readonly definitions: Readonly<Record<string, (value: unknown) => boolean>> };

/** The text of each value that a schema takes, of valid and invalid ones. */
async function taken(schema: string, values: readonly string[]): Promise<readonly string[]> {
  const document = parseSchemaDocument(`{ "$defs": { "A": ${schema} } }`, "a.json");
  const { "validators.js": code = "" } = await emitValidators(document);
  const module: { compile: (given: unknown) => Compiled } = await import(
    `data:text/javascript,${encodeURIComponent(code)}`
  );
  const validate = module.compile(runtime).definitions["A"]!;
  return values.filter((value) => validate(JSON.parse(value)));
}

test.each<[string, object, readonly string[], readonly string[]]>([
  [
    "items that `contains` finds are looked at",
    { prefixItems: [{}], contains: { type: "string" }, unevaluatedItems: { type: "null" } },
    ['[1, "a", null]', '["a"]', "{}"],
    ['[1, "a", 2]', "[1]"],
  ],
  [
    "only in the branch that holds",
    {
      anyOf: [{ contains: { const: 1 }, maxItems: 2 }, { prefixItems: [{ const: 0 }] }],
      unevaluatedItems: false,
    },
    ["[1, 1]", "[0]", "[0, 1]", "[]"],
    ["[1, 1, 1]", "[0, 2]", "[1, 2]", "[0, 0]"],
  ],
  [
    "a branch that looks at all items, and one that looks at none",
    {
      oneOf: [{ items: { type: "integer" }, minItems: 1 }, { maxItems: 0 }, { const: ["a"] }],
      unevaluatedItems: { const: "b" },
    },
    ["[1, 2]", "[]"],
    ['["a"]', '["b"]'],
  ],
  [
    "through references, conditions and nesting",
    {
      allOf: [{ $ref: "#/$defs/A/$defs/two" }],
      if: { contains: { const: "x" } },
      then: { prefixItems: [{}, {}, {}] },
      else: { unevaluatedItems: { type: "integer" } },
      unevaluatedItems: false,
      $defs: { two: { prefixItems: [{}, {}] } },
    },
    ['["x", 1, 2]', "[1, 2]", "[1, 2, 3]", '[0, 0, 0, "x"]'],
    ['["x", 1, 2, 3]'],
  ],
  [
    "an `if` describes members where it holds, without `then`",
    { if: { properties: { a: { const: 1 } }, required: ["a"] }, unevaluatedProperties: false },
    ['{ "a": 1 }', "{}", "[]"],
    ['{ "a": 2 }', '{ "a": 1, "b": 1 }'],
  ],
  [
    "an `if` with only an `else`",
    {
      if: { properties: { a: { const: 1 } }, required: ["a"] },
      else: { properties: { b: {} }, required: ["b"] },
      unevaluatedProperties: false,
    },
    ['{ "a": 1 }', '{ "b": 1 }'],
    ['{ "a": 2, "b": 1 }', "{}", '{ "a": 1, "b": 1 }'],
  ],
  ["no value of an empty list", { enum: [] }, [], ["1", "null"]],
  ["format without a type is a note", { format: "email" }, ['"a"', "1"], []],
  ["a boolean as a schema", { properties: { a: true, b: false } }, ['{ "a": 1 }'], ['{ "b": 1 }']],
])("validators: %s", async (_, schema, valid, invalid) => {
  expect(await taken(JSON.stringify(schema), [...valid, ...invalid])).toEqual(valid);
});

test.each<[string, string, readonly string[], readonly string[]]>([
  [
    "is described",
    '{ "properties": { "__proto__": { "type": "string" } } }',
    ['{"__proto__":"a"}', "{}"],
    ['{"__proto__":1}'],
  ],
  [
    "is the only one",
    '{ "properties": { "__proto__": {}, "a": {} }, "additionalProperties": false }',
    ['{"__proto__":1,"a":1}'],
    ['{"b":1}'],
  ],
  [
    "is the only one in parts",
    '{ "allOf": [{ "properties": { "__proto__": {} } }, { "properties": { "a": {} } }], "unevaluatedProperties": false }',
    ['{"__proto__":1,"a":1}', "{}"],
    ['{"b":1}', '{"toString":1}'],
  ],
  [
    "is not described",
    '{ "properties": { "a": {} }, "additionalProperties": false }',
    ['{"a":1}'],
    ['{"__proto__":1}'],
  ],
  [
    "is described nowhere in parts",
    '{ "allOf": [{ "properties": { "a": {} } }, { "patternProperties": { "^x": {} } }], "unevaluatedProperties": false }',
    ['{"a":1,"xy":1}'],
    ['{"__proto__":1}'],
  ],
  ["is required", '{ "required": ["__proto__"] }', ['{"__proto__":1}', "1"], ["{}"]],
  ["is of a constant", '{ "const": { "__proto__": [1] } }', ['{"__proto__":[1]}'], ["{}", '{"__proto__":[2]}']],
  [
    "depends on others",
    '{ "dependentRequired": { "__proto__": ["a"] } }',
    ["{}", '{"__proto__":1,"a":1}'],
    ['{"__proto__":1}'],
  ],
  [
    "has others depend on it",
    '{ "dependentSchemas": { "__proto__": { "maxProperties": 1 } } }',
    ['{"__proto__":1}'],
    ['{"__proto__":1,"a":1}'],
  ],
  [
    "is the name of another",
    '{ "properties": { "x__proto__": { "type": "string" } } }',
    ['{"__proto__":1}'],
    ['{"x__proto__":1}'],
  ],
])("validators: a member __proto__ %s", async (_, schema, valid, invalid) => {
  expect(await taken(schema, [...valid, ...invalid])).toEqual(valid);
});

test("validators compare with thousands of values, and load", async () => {
  const values = Array.from({ length: 5000 }, (_, index) => `v${index}`);
  expect(await taken(JSON.stringify({ enum: values }), ['"v0"', '"v4999"', '"v5000"'])).toEqual(['"v0"', '"v4999"']);
});

test("validators refuse a definition of itself, and take a long way from one to another", async () => {
  for (const schema of [{ $ref: "#/$defs/A" }, { allOf: [{ not: { $ref: "#/$defs/A" } }] }]) {
    await expect(taken(JSON.stringify(schema), [])).rejects.toThrow("Definition A: stands for itself");
  }
  const names = Array.from({ length: 400 }, (_, index) => `D${index}`);
  const next = (index: number): object => ({
    type: "object",
    properties: { x: { $ref: `#/$defs/${names[index + 1]}` } },
  });
  const $defs = Object.fromEntries(names.map((name, index) => [name, index + 1 < names.length ? next(index) : {}]));
  const files = await emitValidators(parseSchemaDocument(JSON.stringify({ $defs }), "a.json"));
  expect(files["validators.js"]).toContain("D399");
});

test("validators: an invalid pattern rejects no member", async () => {
  const schema = {
    patternProperties: { "(?<n": { type: "string" }, "^a": { type: "string" } },
    additionalProperties: false,
  };
  expect(await taken(JSON.stringify(schema), ['{"b":1}', '{"a":1}'])).toEqual(['{"b":1}']);
});

test("validators read the same in strict mode where they are not refused", async () => {
  const document = parseSchemaDocument('{ "$defs": { "A": { "type": "string", "maxLength": 2 } } }', "a.json");
  expect(await emitValidators(document, { strict: true })).toEqual(await emitValidators(document));
});
