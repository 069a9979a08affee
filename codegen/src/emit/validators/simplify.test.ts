import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonSchema, SchemaDocument } from "../../model/schema-document.ts";
import { messages, mutated, randomSchema, rawSchemaOracle, readSchema, schemaNames } from "../../testing/index.ts";
import { simplify } from "./simplify.ts";
import { strictAjv } from "./strict-ajv.ts";
import { unionShape } from "../../model/union-shape.ts";

/** The schema with the one repair that {@link simplify} makes: the branch without a tag is not for tags of others. */
function repaired(schema: JsonSchema): JsonSchema {
  const shape = unionShape(schema);
  const branch = (part: JsonSchema): JsonSchema => {
    if (shape?.kind !== "tagged" || part !== shape.untagged) return repaired(part);
    const taken: JsonSchema = shape.other ? { type: "string" } : { enum: shape.branches.map(({ value }) => value) };
    return {
      allOf: [repaired(part)],
      not: { type: "object", properties: { [shape.tag]: taken }, required: [shape.tag] },
    };
  };
  return {
    ...schema,
    ...(schema.anyOf && { anyOf: schema.anyOf.map(branch) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(branch) }),
    ...(schema.allOf && { allOf: schema.allOf.map(repaired) }),
    ...(schema.items && { items: repaired(schema.items) }),
    ...(schema.properties && {
      properties: Object.fromEntries(Object.entries(schema.properties).map(([name, part]) => [name, repaired(part)])),
    }),
  };
}

/** Compares the verdicts on messages that are valid and that are broken; returns how many there were of each. */
function compareVerdicts(document: SchemaDocument, numRuns: number): { accepted: number; refused: number } {
  const $defs = Object.fromEntries(Object.entries(document.$defs).map(([key, part]) => [key, repaired(part)]));
  const oracle = rawSchemaOracle({ ...document, $defs });
  const ajv = strictAjv({ allErrors: true });
  for (const [format, least, end] of [
    ["int32", -(2 ** 31), 2 ** 31],
    ["uint16", 0, 2 ** 16],
    ["uint32", 0, 2 ** 32],
  ] as const) {
    ajv.addFormat(format, { type: "number", validate: (value: number) => value >= least && value < end });
  }
  ajv.addSchema({ $id: "acp", $defs: simplify(document.$defs) });
  const verdicts = { accepted: 0, refused: 0 };
  for (const [definition, valid] of Object.entries(messages(document))) {
    const validate = ajv.getSchema(`acp#/$defs/${definition}`);
    const check = (value: unknown): void => {
      const errors = oracle.errors(definition, value);
      verdicts[errors.length === 0 ? "accepted" : "refused"] += 1;
      if (validate?.(value) !== (errors.length === 0)) {
        expect.fail(`${definition} ${JSON.stringify(value)}: the schema says ${errors.join() || "valid"}`);
      }
    };
    fc.assert(fc.property(fc.oneof(valid, mutated(valid)), check), { seed: 41, numRuns });
  }
  return verdicts;
}

describe("simplify()", () => {
  test.each(schemaNames)("gives the verdict of the schema when that is %s", (name) => {
    const { accepted, refused } = compareVerdicts(readSchema(name), 30);
    // The comparison means something only when both verdicts are common.
    expect(accepted).toBeGreaterThan(1000);
    expect(refused).toBeGreaterThan(1000);
  });

  const seeds = process.env["THOROUGH"] === undefined ? [1] : [1, 2, 3, 4];
  test.each(seeds)("gives the verdict of the schema when that is random: %d", (seed) => {
    const [document] = fc.sample(randomSchema(40), { seed, numRuns: 1 });
    if (document === undefined) throw new Error("no schema");
    const { accepted, refused } = compareVerdicts(document, 30);
    expect(accepted).toBeGreaterThan(200);
    expect(refused).toBeGreaterThan(200);
  });

  const tag = (schema: object): object => ({ type: "object", properties: { t: schema }, required: ["t"] });
  test.each<[string, object, readonly unknown[]]>([
    ["both unions", { anyOf: [{ type: "string" }, {}], oneOf: [{ type: "integer" }, { type: "boolean" }] }, ["a", 1]],
    ["a member that may not be", { type: "object", properties: { a: false, b: true } }, [{ a: 1 }, { b: 1 }]],
    ["a list without items", { type: "array", items: false }, [[1], []]],
    [
      "a schema for other members",
      { type: "object", unevaluatedProperties: { type: "string" } },
      [{ a: 1 }, { a: "" }],
    ],
    [
      "an open list of values",
      {
        anyOf: [
          { type: "string", const: "a" },
          { type: "string", minLength: 2 },
        ],
      },
      ["a", "b"],
    ],
    [
      "two lists of values",
      { enum: ["a", "b"], anyOf: ["b", "c"].map((value) => ({ type: "string", const: value })) },
      ["a", "b", "c"],
    ],
    [
      "a condition beside a union",
      { type: "array", if: { maxItems: 0 }, else: { minItems: 2 }, anyOf: [{ type: "null" }, { type: "array" }] },
      [[], [1], [1, 2]],
    ],
    [
      "a branch for some of the unknown",
      { anyOf: [tag({ type: "string", const: "a" }), { ...tag({ type: "string" }), not: tag({ const: "b" }) }] },
      [{ t: "a" }, { t: "b" }, { t: "c" }],
    ],
  ])("gives the verdict of a schema with %s", (_what, schema, values) => {
    const verdicts = (definition: object): readonly boolean[] => {
      const validate = new Ajv2020({ strict: false }).compile(definition);
      return values.map((value) => validate(value));
    };
    expect(new Set(verdicts(schema)).size).toBe(2);
    expect(verdicts(simplify({ X: schema })["X"] ?? {})).toEqual(verdicts(schema));
  });
});
