import { deepFreeze, messages, rawSchemaOracle, readSchema, schemaNames } from "@acp/codegen/testing";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeAs, decodedDefinitions } from "../testing/decoders.ts";

describe.each(schemaNames)("a valid message of %s", (name) => {
  const document = readSchema(name);
  const valid = messages(document);
  const oracle = rawSchemaOracle(document);

  test("has a decoder whatever its definition", () => {
    expect(decodedDefinitions(name).toSorted()).toEqual(Object.keys(valid).toSorted());
  });

  test("comes out as the very same object, unless it holds an unknown variant", () => {
    const seen = { same: 0, unknown: 0 };
    for (const [definition, arbitrary] of Object.entries(valid)) {
      const check = (generated: unknown): void => {
        const message = deepFreeze(generated);
        if (!oracle.accepts(definition, message))
          expect.fail(`made an invalid ${definition}: ${JSON.stringify(message)}`);
        const decoded = decodeAs(name, definition, message);
        if (!decoded.ok) expect.fail(`${definition} was refused at /${decoded.path.join("/")}: ${decoded.reason}`);
        const tolerated = decoded.issues.filter(({ action }) => action !== "unknown");
        if (tolerated.length > 0) expect.fail(`${definition}: ${JSON.stringify(tolerated)}`);
        if (decoded.issues.length > 0) seen.unknown++;
        else if (decoded.value === message) seen.same++;
        else expect.fail(`${definition} was copied: ${JSON.stringify(message)}`);
      };
      fc.assert(fc.property(arbitrary, check), { seed: 20_261_121, numRuns: 60 });
    }
    expect(seen.same).toBeGreaterThan(5000);
    expect(seen.unknown).toBeGreaterThan(100);
  });
});
