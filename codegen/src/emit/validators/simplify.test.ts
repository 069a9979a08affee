import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonSchema, SchemaDocument } from "../../model/schema-document.ts";
import { messages, mutated, rawSchemaOracle, readSchema, schemaNames } from "../../testing/index.ts";
import { simplify } from "./simplify.ts";
import { strictAjv } from "./strict-ajv.ts";
import { unionShape } from "./union-shape.ts";

/** The schema with the one repair that {@link simplify} makes: the branch without a tag is not for known tags. */
function repaired(schema: JsonSchema): JsonSchema {
  const shape = unionShape(schema);
  const untagged = shape?.kind === "tagged" ? shape.untagged : undefined;
  const tag = shape?.kind === "tagged" ? shape.tag : "";
  const known = shape?.kind === "tagged" ? shape.branches.map(({ value }) => value) : [];
  const branch = (part: JsonSchema): JsonSchema =>
    part === untagged
      ? { allOf: [repaired(part)], not: { type: "object", properties: { [tag]: { enum: known } }, required: [tag] } }
      : repaired(part);
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

describe.each(schemaNames)("simplify() of %s", (name) => {
  const document = readSchema(name);
  const $defs = Object.fromEntries(Object.entries(document.$defs).map(([key, part]) => [key, repaired(part)]));
  const oracle = rawSchemaOracle({ ...document, $defs } satisfies SchemaDocument);
  const ajv = strictAjv({ allErrors: true });
  for (const format of ["int32", "uint16", "uint32"]) delete ajv.formats[format];
  ajv.addFormat("int32", { type: "number", validate: (value: number) => value >= -(2 ** 31) && value < 2 ** 31 });
  ajv.addFormat("uint16", { type: "number", validate: (value: number) => value >= 0 && value < 2 ** 16 });
  ajv.addFormat("uint32", { type: "number", validate: (value: number) => value >= 0 && value < 2 ** 32 });
  ajv.addSchema({ $id: "acp", $defs: simplify(document.$defs) });

  test("gives the verdict of the schema when messages are valid and when they are broken", () => {
    const verdicts = { accepted: 0, refused: 0 };
    for (const [definition, valid] of Object.entries(messages(document))) {
      const validate = ajv.getSchema(`acp#/$defs/${definition}`);
      const check = (value: unknown): void => {
        const expected = oracle.accepts(definition, value);
        verdicts[expected ? "accepted" : "refused"] += 1;
        if (validate?.(value) !== expected) {
          expect.fail(
            `${definition}: expected ${expected} for ${JSON.stringify(value)} (${oracle.errors(definition, value).join()})`,
          );
        }
      };
      fc.assert(fc.property(fc.oneof(valid, mutated(valid)), check), { seed: 41, numRuns: 60 });
    }
    // The comparison means something only when both verdicts are common.
    expect(verdicts.accepted).toBeGreaterThan(1000);
    expect(verdicts.refused).toBeGreaterThan(1000);
  });
});
