import { deepFreeze, isObject, messages, rawSchemaOracle, readSchema, schemaNames } from "@acp/codegen/testing";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeAs, decodedDefinitions } from "../testing/decoders.ts";

type Schema = ReturnType<typeof readSchema>["$defs"][string];

describe.each(schemaNames)("a valid message of %s", (name) => {
  const document = readSchema(name);
  const valid = messages(document);
  const oracle = rawSchemaOracle(document);

  test("has a decoder for any definition", () => {
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
        // Nor do connections report it.
        const invalid = decoded.issues.filter(({ isInvalid }) => isInvalid);
        if (invalid.length > 0) expect.fail(`${definition} passes for invalid: ${JSON.stringify(invalid)}`);
        if (decoded.issues.length > 0) seen.unknown++;
        else if (decoded.value === message) seen.same++;
        else expect.fail(`${definition} was copied: ${JSON.stringify(message)}`);
      };
      fc.assert(fc.property(arbitrary, check), { seed: 20_261_121, numRuns: 60 });
    }
    expect(seen.same).toBeGreaterThan(5000);
    expect(seen.unknown).toBeGreaterThan(100);
  });

  test("may be of an unknown kind wherever the schema leaves a union open", () => {
    const unions = Object.entries(document.$defs).flatMap(([definition, schema]) => openUnionsOf(definition, schema));
    expect(unions.length).toBeGreaterThan(3);
    for (const { definition, tag, known } of unions) {
      const values = fc.sample(valid[definition]!, { seed: 20_261_128, numRuns: 300 });
      const value = values.find((one) => isObject(one) && typeof one[tag] === "string" && !known.includes(one[tag]));
      if (value === undefined) expect.fail(`no ${definition} has another ${tag}`);
      const { issues } = decodeAs(name, definition, value);
      const issue = issues.find(({ path }) => path.length === 1 && path[0] === tag);
      expect([definition, issue?.action, issue?.isInvalid]).toEqual([definition, "unknown", undefined]);
    }
  });
});

test.each(["v1", "v1/unstable"] as const)("UPD-07 an unknown update of %s is not valid, and marked as such", (name) => {
  const [issue] = decodeAs(name, "SessionUpdate", { sessionUpdate: "_acme" }).issues;
  expect(issue).toEqual({ action: "unknown", path: ["sessionUpdate"], reason: "is not a known variant" });
  expect(issue?.isInvalid).toBe(true);
});

/** The unions of a definition that have a branch for every tag that no other branch has. */
function openUnionsOf(
  definition: string,
  schema: Schema,
): readonly { readonly definition: string; readonly tag: string; readonly known: readonly unknown[] }[] {
  return (schema.anyOf ?? []).flatMap(({ not }) => {
    const branches = (not?.anyOf ?? []).flatMap(({ properties }) => Object.entries(properties ?? {}));
    const [tag] = branches[0] ?? [];
    return tag === undefined ? [] : [{ definition, tag, known: branches.map(([, value]) => value.const) }];
  });
}
