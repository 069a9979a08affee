import * as fc from "fast-check";
import type { JsonSchema, SchemaDocument } from "../model/schema-document.ts";

/** A definition made so far: what it is decides where it may be used. */
interface Made {
  readonly name: string;
  /** Whether it is an object, so that it may be included and be the payload of a variant. */
  readonly isObject: boolean;
  readonly schema: JsonSchema;
  /** The definitions that describe the same value, itself among them. */
  readonly parts: ReadonlySet<string>;
}

/**
 * Arbitrary schemas of the kind that the protocol is described in: members with hints, inclusions, tagged unions
 * (closed, open, with a branch without a tag, with members beside them, inside one another) and alternatives.
 *
 * The protocol's own schema has each construct in a few places only; this has them in combinations of which a later
 * schema may have some.
 */
export function randomSchema(definitions: number): fc.Arbitrary<SchemaDocument> {
  const first: JsonSchema = { type: "object", properties: { first: { type: "string" } }, required: ["first"] };
  let made: fc.Arbitrary<readonly Made[]> = fc.constant([
    { name: "D0", isObject: true, schema: first, parts: new Set(["D0"]) },
  ]);
  for (let n = 1; n < definitions; n++) {
    made = made.chain((before) => definition(n, before).map((next) => [...before, next]));
  }
  return made.map((all) => ({ $defs: Object.fromEntries(all.map(({ name, schema }) => [name, schema])) }));
}

function definition(n: number, before: readonly Made[]): fc.Arbitrary<Made> {
  const name = `D${n}`;
  const objects = before.filter(({ isObject }) => isObject);
  const named = (schemas: fc.Arbitrary<JsonSchema>, isObject: boolean): fc.Arbitrary<Made> =>
    schemas.map((schema) => ({ name, isObject, schema, parts: partsOf(name, schema, before) }));
  return fc.oneof(
    { weight: 3, arbitrary: named(object(n, before, objects), true) },
    { weight: 4, arbitrary: named(tagged(n, before, objects), true) },
    { weight: 1, arbitrary: named(alternatives(objects), true) },
    { weight: 1, arbitrary: named(scalar(), false) },
  );
}

/** Whatever the schema refers to from `allOf`, its own and those of its branches. */
function partsOf(name: string, schema: JsonSchema, before: readonly Made[]): ReadonlySet<string> {
  const schemas = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const names = schemas.flatMap(({ allOf = [] }) => allOf.map(({ $ref }) => $ref?.replace("#/$defs/", "")));
  const parents = before.filter((made) => names.includes(made.name));
  return new Set([name, ...parents.flatMap(({ parts }) => [...parts])]);
}

function scalar(): fc.Arbitrary<JsonSchema> {
  return fc.constantFrom<JsonSchema>(
    { type: "string" },
    { type: "string", minLength: 2 },
    { type: "boolean" },
    { type: "integer", format: "uint16", minimum: 0 },
    { type: "integer", format: "int64" },
    { type: "number", format: "double" },
    { oneOf: ["a", "b"].map((value) => ({ type: "string", const: value })) },
    {
      anyOf: [
        { type: "string", const: "a" },
        { title: "other", type: "string" },
      ],
    },
    {},
  );
}

const reference = ({ name }: Made): JsonSchema => ({ $ref: `#/$defs/${name}` });

/** The schema of a member with hints that go with it, and whether the member is required. */
function member(before: readonly Made[]): fc.Arbitrary<{ schema: JsonSchema; required: boolean }> {
  const value = fc.oneof(scalar(), fc.constantFrom(...before).map(reference));
  const plain = fc.oneof(scalar(), value);
  const nullable = fc.oneof(
    fc.constantFrom<JsonSchema>({ type: ["string", "null"] }, { type: ["integer", "null"], format: "uint32" }),
    fc.constantFrom(...before).map((made): JsonSchema => ({ anyOf: [reference(made), { type: "null" }] })),
  );
  const array = fc
    .record({ items: value, minItems: fc.constantFrom(undefined, undefined, 1) })
    .map(({ items, minItems }): JsonSchema => ({ type: "array", items, ...(minItems && { minItems }) }));
  const map = value.map((values): JsonSchema => ({ type: "object", additionalProperties: values }));
  const hints = fc.record({ onError: fc.boolean(), skip: fc.boolean(), onNull: fc.boolean(), required: fc.boolean() });
  const hinted = (schemas: fc.Arbitrary<JsonSchema>, kind: "plain" | "nullable" | "array" | "map") =>
    fc.tuple(schemas, hints).map(([schema, { onError, skip, onNull, required }]) => {
      const replaceable = !required || kind === "nullable" || kind === "array";
      return {
        schema: {
          ...schema,
          ...(onError && replaceable && !("$ref" in schema) && { "x-deserialize-default-on-error": true }),
          ...(skip && kind === "array" && { "x-deserialize-skip-invalid-items": true }),
          ...(onNull && (kind === "array" || kind === "map") && { "x-deserialize-default-on-null": true }),
        },
        required,
      };
    });
  return fc.oneof(hinted(plain, "plain"), hinted(nullable, "nullable"), hinted(array, "array"), hinted(map, "map"));
}

/** What every object inherits, as the name of a member. */
const inherited = ["toString", "constructor", "valueOf", "hasOwnProperty", "isPrototypeOf", "toLocaleString"] as const;

/** Members with names of the definition's own, some of them awkward: no two definitions describe the same member. */
function ownMembers(prefix: string, before: readonly Made[]): fc.Arbitrary<JsonSchema> {
  const awkward =
    prefix === `m${before.length}_` ? inherited.filter((_name, index) => index === before.length - 1) : [];
  const names = fc.constantFrom(`${prefix}a`, `${prefix}b-c`, `${prefix}d e`, ...awkward);
  const entries = fc.uniqueArray(fc.tuple(names, member(before)), { maxLength: 3, selector: ([name]) => name });
  return entries.map((all) => ({
    type: "object",
    properties: Object.fromEntries(all.map(([name, { schema }]) => [name, schema])),
    required: all.filter(([, { required }]) => required).map(([name]) => name),
  }));
}

function overlap(one: Made, other: Made): boolean {
  return [...one.parts].some((part) => other.parts.has(part));
}

/** An `allOf` of definitions that have nothing in common, so that no union is read twice. */
function included(objects: readonly Made[], maxLength: number): fc.Arbitrary<JsonSchema> {
  return fc
    .uniqueArray(fc.constantFrom(...objects), { maxLength })
    .map((parts) => parts.filter((part, index) => parts.slice(0, index).every((other) => !overlap(part, other))))
    .map((parts) => (parts.length === 0 ? {} : { allOf: parts.map(reference) }));
}

function object(n: number, before: readonly Made[], objects: readonly Made[]): fc.Arbitrary<JsonSchema> {
  return fc.tuple(ownMembers(`m${n}_`, before), included(objects, 2)).map(([own, more]) => ({ ...own, ...more }));
}

function tagged(n: number, before: readonly Made[], objects: readonly Made[]): fc.Arbitrary<JsonSchema> {
  const tag = `tag${n}`;
  const tagIs = (value: string): JsonSchema => ({
    type: "object",
    properties: { [tag]: { type: "string", const: value } },
    required: [tag],
  });
  const branch = (value: string): fc.Arbitrary<JsonSchema> =>
    fc.tuple(ownMembers(`${value}${n}_`, before), included(objects, 1)).map(([own, payload]) => ({
      ...own,
      properties: { ...own.properties, ...tagIs(value).properties },
      required: [...(own.required ?? []), tag],
      ...payload,
    }));
  const values = ["one", "two"];
  const other = ownMembers(`other${n}_`, before).map((own): JsonSchema => ({
    ...own,
    title: "other",
    properties: { ...own.properties, [tag]: { type: "string" } },
    required: [...(own.required ?? []), tag],
    not: { anyOf: values.map(tagIs) },
    additionalProperties: true,
  }));
  const untagged = fc
    .constantFrom(...objects)
    .map((made): JsonSchema => ({ title: "plain", allOf: [reference(made)] }));
  return fc
    .record({
      beside: fc.option(ownMembers(`m${n}_`, before), { nil: {} }),
      known: fc.tuple(...values.map(branch)),
      other: fc.option(other, { nil: undefined }),
      untagged: fc.option(untagged, { nil: undefined }),
    })
    .map(({ beside, known, ...rest }) => ({
      ...beside,
      anyOf: [...known, ...(rest.other ? [rest.other] : []), ...(rest.untagged ? [rest.untagged] : [])],
    }));
}

function alternatives(objects: readonly Made[]): fc.Arbitrary<JsonSchema> {
  const branches = fc.uniqueArray(fc.constantFrom(...objects), { minLength: 1, maxLength: 3 });
  return fc.tuple(branches, fc.constantFrom("anyOf", "oneOf")).map(([parts, keyword]) => ({
    [keyword]: parts.map((made) => ({ title: made.name, allOf: [reference(made)] })),
  }));
}
