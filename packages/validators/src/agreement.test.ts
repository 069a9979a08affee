import { copyJson, messages, mutated, rawSchemaOracle, readSchema, type SchemaName } from "@acp/codegen/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import * as v1 from "./v1/index.ts";
import * as v1Unstable from "./v1/unstable/index.ts";
import * as v2 from "./v2/index.ts";
import * as v2Unstable from "./v2/unstable/index.ts";

interface Version<Definition extends string> {
  readonly definitionNames: readonly Definition[];
  readonly validate: (definition: Definition, value: unknown) => v1.Validation;
}

/** Compares the compiled validators with the raw schema, on valid and on broken messages of every definition. */
function compare<Definition extends string>(
  name: SchemaName,
  { definitionNames, validate }: Version<Definition>,
): void {
  const document = readSchema(name);
  const oracle = rawSchemaOracle(document);
  const valid = messages(document);
  let refused = 0;
  for (const definition of definitionNames) {
    const ofDefinition = valid[definition];
    if (ofDefinition === undefined) expect.fail(`there are no messages for ${definition}`);
    const verdictOnValid = (message: unknown): void => {
      const checked = validate(definition, message);
      if (!checked.ok) expect.fail(`${definition}: ${JSON.stringify(message)} ${JSON.stringify(checked.errors)}`);
    };
    const verdictOnBroken = (generated: unknown): void => {
      const message = copyJson(generated);
      const errors = oracle.errors(definition, message);
      if (errors.length === 0) return;
      refused++;
      if (validate(definition, message).ok) expect.fail(`${definition}: ${JSON.stringify(message)} ${errors.join()}`);
    };
    fc.assert(fc.property(ofDefinition, verdictOnValid), { seed: 5, numRuns: 20 });
    fc.assert(fc.property(mutated(ofDefinition), verdictOnBroken), { seed: 5, numRuns: 30 });
  }
  expect(refused).toBeGreaterThan(1000);
}

test("the validators of v1 accept and reject the same values as the raw schema", () => compare("v1", v1));
test("the validators of v1/unstable accept and reject the same values as the raw schema", () =>
  compare("v1/unstable", v1Unstable));
test("the validators of v2 accept and reject the same values as the raw schema", () => compare("v2", v2));
test("the validators of v2/unstable accept and reject the same values as the raw schema", () =>
  compare("v2/unstable", v2Unstable));
