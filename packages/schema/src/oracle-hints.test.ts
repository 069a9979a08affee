import {
  copyJson,
  deepFreeze,
  type Hint,
  type HintedMember,
  hintedMembers,
  isObject,
  messages,
  objectFrom,
  rawSchemaOracle,
  readSchema,
  schemaNames,
} from "@acp/codegen/testing";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeAs } from "../testing/decoders.ts";

const onError: Hint = "x-deserialize-default-on-error";
const skipItems: Hint = "x-deserialize-skip-invalid-items";
const onNull: Hint = "x-deserialize-default-on-null";

/** Values one of which is wrong for any member that can be wrong. */
const wrongValues: readonly unknown[] = [5, "wrong", [5], { wrong: true }];

describe.each(schemaNames)("the hints of %s", (name) => {
  const document = readSchema(name);
  const valid = messages(document);
  const oracle = rawSchemaOracle({
    ...document,
    // One definition per hinted member and item, so that ajv can be asked about them.
    $defs: Object.fromEntries([
      ...Object.entries(document.$defs),
      ...hintedMembers(document, onError).map(({ definition, member, schema }) => [`${definition}_${member}`, schema]),
      ...hintedMembers(document, skipItems).map(({ definition, member, schema }) => [
        `${definition}_${member}_item`,
        schema.items ?? {},
      ]),
    ]),
  });

  /** Messages of the definition that are valid and without unknown variants, but for the value of the member. */
  function samples({ definition, member, beside }: HintedMember, value: unknown): readonly Record<string, unknown>[] {
    const arbitrary = valid[definition];
    if (arbitrary === undefined) throw new Error(`${definition} is not part of the protocol`);
    const found = fc
      .sample(arbitrary, { seed: 7, numRuns: 12 })
      .filter(isObject)
      .filter((message) => decodeAs(name, definition, message).issues.length === 0)
      .filter((message) => beside.every((required) => Object.hasOwn(message, required)))
      .map((message) => {
        const others = Object.entries(message).filter(([key]) => key !== member);
        return deepFreeze(objectFrom([...others, [member, copyJson(value)]]));
      });
    expect(found.length).toBeGreaterThan(0);
    return found;
  }

  function decodedObject(
    definition: string,
    message: unknown,
  ): { value: Record<string, unknown>; issues: readonly string[] } {
    const decoded = decodeAs(name, definition, message);
    if (!decoded.ok) expect.fail(`${definition} was refused at /${decoded.path.join("/")}: ${decoded.reason}`);
    if (!isObject(decoded.value)) expect.fail(`${definition} is no object any more`);
    return { value: decoded.value, issues: decoded.issues.map(({ action, path }) => `${action} /${path.join("/")}`) };
  }

  // The tests below are one for each: without any, they would prove nothing.
  test.each([onError, skipItems, onNull])("have at least one %s", (hint) => {
    expect(hintedMembers(document, hint)).not.toEqual([]);
  });

  test.each(
    hintedMembers(document, onError).map((hinted) => [`${hinted.definition}.${hinted.member}`, hinted] as const),
  )("COMPAT-01/both: %s reads as absent or its default when it is wrong", (_place, hinted) => {
    const { definition, member, schema, required } = hinted;
    const wrong = wrongValues.find((value) => !oracle.accepts(`${definition}_${member}`, value));
    if (wrong === undefined) {
      // A member that may be anything is never wrong.
      expect(["rawInput", "rawOutput", "data"]).toContain(member);
      return;
    }
    for (const message of samples(hinted, wrong)) {
      const { value, issues } = decodedObject(definition, message);
      expect(
        issues.filter((issue) => issue === `replaced /${member}` || issue.startsWith(`replaced /${member}/`)),
      ).toHaveLength(1);
      const fallback = schema.default ?? (required ? [] : undefined);
      expect(value[member]).toEqual(fallback);
      expect(Object.hasOwn(value, member)).toBe(fallback !== undefined);
      for (const other of Object.keys(message)) if (other !== member) expect(value).toHaveProperty([other]);
    }
  });

  test.each(
    hintedMembers(document, skipItems).map((hinted) => [`${hinted.definition}.${hinted.member}`, hinted] as const),
  )("COMPAT-02/both: %s loses its bad items and keeps the good ones", (_place, hinted) => {
    const { definition, member } = hinted;
    const wrong = wrongValues.find((value) => !oracle.accepts(`${definition}_${member}_item`, value));
    expect(wrong).toBeDefined();
    const good = goodItems(definition, member);
    for (const message of samples(hinted, [wrong, ...good, wrong])) {
      const { value, issues } = decodedObject(definition, message);
      const found = issues.filter((issue) => issue.startsWith(`skipped /${member}/`));
      expect(found.map((issue) => issue.split("/")[2])).toEqual(["0", String(good.length + 1)]);
      expect(value[member]).toEqual(good);
    }
  });

  test.each(
    hintedMembers(document, onNull).map((hinted) => [`${hinted.definition}.${hinted.member}`, hinted] as const),
  )("COMPAT-03/both: %s reads as empty when it is null, and its absence is another matter", (_place, hinted) => {
    const { definition, member, schema, required } = hinted;
    for (const message of samples(hinted, null)) {
      const { value, issues } = decodedObject(definition, message);
      expect(value[member]).toEqual(schema.type === "array" ? [] : {});
      expect(issues.filter((issue) => issue.includes(`/${member}`))).toEqual([]);

      const { [member]: _null, ...without } = message;
      const decoded = decodeAs(name, definition, without);
      if (required) expect(decoded).toMatchObject({ ok: false, path: [member], reason: "is missing" });
      else expect(decoded).toMatchObject({ ok: true, value: without });
    }
  });

  /** Some items that a valid message of the definition had in this member, none of them of an unknown kind. */
  function goodItems(definition: string, member: string): readonly unknown[] {
    for (const message of fc.sample(valid[definition] ?? fc.constant(undefined), { seed: 9, numRuns: 200 })) {
      const items = isObject(message) ? message[member] : undefined;
      if (!Array.isArray(items) || items.length < 2) continue;
      const { issues } = decodedObject(definition, message);
      if (issues.length === 0) return items;
    }
    throw new Error(`No message of ${definition} had two good items in ${member}`);
  }
});
