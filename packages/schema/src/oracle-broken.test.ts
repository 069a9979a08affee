import {
  copyJson,
  deepFreeze,
  disagreement,
  messages,
  mutated,
  openUnions,
  readReceivedSchema,
  readSchema,
  referenceReader,
  schemaNames,
} from "@acp/codegen/testing";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeAs } from "../testing/decoders.ts";

describe.each(schemaNames)("COMPAT-01/both, COMPAT-02/both, COMPAT-03/both, UPD-07: a broken message of %s", (name) => {
  const document = readSchema(name);
  const reference = referenceReader(readReceivedSchema(name), openUnions(name));

  test("is read as the schema and its hints say, place for place, and never changed", () => {
    const seen = { refused: 0, tolerated: 0, clean: 0 };
    for (const [definition, valid] of Object.entries(messages(document))) {
      const check = (generated: unknown): void => {
        const message = deepFreeze(copyJson(generated));
        const expected = reference(definition, message);
        const decoded = decodeAs(name, definition, message);
        const wrong = disagreement(message, decoded, expected);
        if (wrong !== undefined) expect.fail(`${definition} ${JSON.stringify(message)}: ${wrong}`);
        if (!decoded.ok) seen.refused++;
        else if (decoded.issues.length > 0) seen.tolerated++;
        else seen.clean++;
      };
      fc.assert(fc.property(mutated(valid), check), { seed: 20_261_121, numRuns: 80 });
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
    // The comparison means something only when all three outcomes are common.
    expect(seen.refused).toBeGreaterThan(3000);
    expect(seen.tolerated).toBeGreaterThan(500);
    expect(seen.clean).toBeGreaterThan(3000);
  });
});
