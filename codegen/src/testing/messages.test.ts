import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unionShape } from "../model/union-shape.ts";
import { hostileKeys, isObject } from "./json.ts";
import { messages } from "./messages.ts";
import { mutated } from "./mutations.ts";
import { rawSchemaOracle } from "./raw-schema-oracle.ts";
import { readSchema, schemaNames } from "./schemas.ts";

/** All values in a message, the message included. */
function* valuesIn(value: unknown): Iterable<unknown> {
  yield value;
  if (typeof value !== "object" || value === null) return;
  for (const member of Object.values(value)) yield* valuesIn(member);
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe.each(schemaNames)("messages() of %s", (name) => {
  const document = readSchema(name);
  const samples = new Map(
    Object.entries(messages(document)).map(([definition, valid]) => [
      definition,
      fc.sample(valid, { seed: 3, numRuns: 120 }),
    ]),
  );

  test("are all accepted by the raw schema", () => {
    const oracle = rawSchemaOracle(document);
    for (const [definition, values] of samples) {
      expect(values.flatMap((value) => oracle.errors(definition, value))).toEqual([]);
    }
  });

  test("have every variant of every union, one of an unknown kind where the schema has room for it, and one without tag", () => {
    for (const [definition, values] of samples) {
      const shape = unionShape(document.$defs[definition] ?? {});
      if (shape?.kind !== "tagged") continue;
      const tags = new Set(
        values.filter(isObject).map((value) => (Object.hasOwn(value, shape.tag) ? value[shape.tag] : undefined)),
      );
      const known = shape.branches.map(({ value }) => value);
      expect([...tags]).toEqual(expect.arrayContaining(known));
      const others = [...tags].filter((tag) => typeof tag === "string" && !known.includes(tag));
      expect(others.length > 0).toBe(shape.other !== undefined);
      expect(tags.has(undefined)).toBe(shape.untagged !== undefined);
    }
  });

  test("have every optional member at times and not at others, and null where it may be", () => {
    const wanting: string[] = [];
    for (const [definition, values] of samples) {
      const { properties = {}, required = [] } = document.$defs[definition] ?? {};
      for (const [member, schema] of Object.entries(properties)) {
        const given = values.filter(isObject).map((value) => (Object.hasOwn(value, member) ? [value[member]] : []));
        const nullable = unionShape(schema)?.kind === "nullable" || schema.type?.includes("null");
        if (given.flat().length === 0) wanting.push(`${definition}.${member}`);
        if (nullable && !given.flat().includes(null)) wanting.push(`${definition}.${member}: null`);
        if (!required.includes(member) && given.every((value) => value.length > 0)) {
          wanting.push(`${definition} without ${member}`);
        }
      }
    }
    expect(wanting).toEqual([]);
  });

  test("have members the schema does not name, with names that are traps", () => {
    const names = new Set(
      [...samples.values()]
        .flat()
        .filter(isObject)
        .flatMap((value) => Object.keys(value)),
    );
    for (const key of hostileKeys) expect(names).toContain(key);
  });
});

describe("mutated()", () => {
  const valid = messages(readSchema("v1"))["SessionNotification"] ?? fc.constant(undefined);
  const broken = fc.sample(mutated(valid), { seed: 3, numRuns: 3000 });
  const values = broken.flatMap((message) => [...valuesIn(message)]);

  test.each<[string, (value: unknown) => boolean]>([
    [
      "a missing member",
      (value) => isObject(value) && Object.hasOwn(value, "sessionUpdate") && Object.keys(value).length === 1,
    ],
    ["null for a tag", (value) => isObject(value) && value["sessionUpdate"] === null],
    ["an unknown tag", (value) => isObject(value) && value["sessionUpdate"] === "plan_2"],
    ["an array for an object", (value) => isObject(value) && Array.isArray(value["update"])],
    ["an infinite number", (value) => value === Infinity],
    ["a fraction", (value) => value === 1.5],
    ["a number that is not exact", (value) => value === 2 ** 53 + 2],
    ["a lone surrogate", (value) => value === "\ud800"],
    ["a member called __proto__", (value) => isObject(value) && Object.hasOwn(value, "__proto__")],
    ["a member without a name", (value) => isObject(value) && Object.hasOwn(value, "")],
    ["bad items", (value) => Array.isArray(value) && value.length > 2 && value.includes(null)],
  ])("makes messages with %s", (_what, holds) => {
    expect(values.some(holds)).toBe(true);
  });

  test("makes messages that are nested deeply", () => {
    expect(Math.max(...broken.map(depthOf))).toBeGreaterThan(35);
  });

  test("does not modify its input", () => {
    const fixed = { sessionId: "s", update: { sessionUpdate: "plan", entries: [{ content: "a" }] } };
    const before = JSON.stringify(fixed);
    fc.sample(mutated(fc.constant(fixed)), { seed: 3, numRuns: 500 });
    expect(JSON.stringify(fixed)).toBe(before);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
