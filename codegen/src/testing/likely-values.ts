import * as fc from "fast-check";
import type { JsonSchema, SchemaDocument } from "../model/schema-document.ts";
import { anyJson, isObject, objectFrom, text } from "./json.ts";

/**
 * Arbitrary values for each definition of a schema in normal form, in whatever form it is written.
 *
 * Each keyword is looked at alone, so that many values are valid and many are nearly so. Which are which is for an
 * oracle to say.
 */
export function likelyValues(document: SchemaDocument): Readonly<Record<string, fc.Arbitrary<unknown>>> {
  return fc.letrec((tie) =>
    Object.fromEntries(
      Object.entries(document.$defs).map(([name, definition]) => [
        name,
        valuesOf(definition, (reference) => tie(reference)),
      ]),
    ),
  );
}

type Tie = (definition: string) => fc.Arbitrary<unknown>;

function valuesOf(schema: JsonSchema, tie: Tie): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const { $ref, allOf = [], anyOf, oneOf } = schema;
  const parts = [
    ...ofConditions(schema, tie),
    ...ofTypes(schema, tie),
    ...($ref === undefined ? [] : [tie($ref.replace("#/$defs/", ""))]),
    ...allOf.map((part) => valuesOf(part, tie)),
    ...[anyOf, oneOf].flatMap((branches) => (branches === undefined ? [] : [oneOfThem(branches, tie)])),
  ];
  const [only] = parts;
  if (only === undefined) return anyJson();
  return parts.length === 1 ? only : fc.tuple(...parts).map(joined);
}

/** Values of one of the schemas; of the first where values nest deep. */
function oneOfThem(schemas: readonly JsonSchema[], tie: Tie): fc.Arbitrary<unknown> {
  return fc.oneof({ maxDepth: 4 }, ...schemas.map((schema) => valuesOf(schema, tie)));
}

/** One object with the members of all, where they are objects; else one of the values. */
function joined(values: readonly unknown[]): unknown {
  const objects = values.filter(isObject);
  return objects.length > 0 && objects.length === values.length
    ? objectFrom(objects.flatMap((part) => Object.entries(part)))
    : values.at(-1);
}

function ofConditions(
  { if: condition, then, else: otherwise, dependentSchemas }: JsonSchema,
  tie: Tie,
): fc.Arbitrary<unknown>[] {
  const branches = [
    ...(condition === undefined ? [] : [[condition, then ?? {}], [otherwise ?? {}]]),
    ...Object.values(dependentSchemas ?? {}).map((dependent) => [dependent]),
  ].map((schemas) => schemas.filter((schema) => Object.keys(schema).length > 0));
  if (branches.length === 0) return [];
  const values = branches.map((schemas) =>
    schemas.length === 0 ? fc.constant({}) : fc.tuple(...schemas.map((schema) => valuesOf(schema, tie))).map(joined),
  );
  return [fc.oneof(...values)];
}

function ofTypes(schema: JsonSchema, tie: Tie): fc.Arbitrary<unknown>[] {
  const types = schema.type === undefined ? impliedTypes(schema) : [schema.type].flat();
  const [first, ...rest] = types.map((type) => ofType(type, schema, tie));
  return first === undefined ? [] : [fc.oneof(first, ...rest)];
}

function impliedTypes(schema: JsonSchema): readonly string[] {
  const has = (...keywords: string[]): boolean => keywords.some((keyword) => keyword in schema);
  if (has("properties", "required", "patternProperties", "additionalProperties", "propertyNames")) return ["object"];
  if (has("items", "prefixItems", "contains", "uniqueItems")) return ["array"];
  if (has("pattern", "minLength", "maxLength")) return ["string"];
  return has("minimum", "maximum", "multipleOf") ? ["number"] : [];
}

function ofType(type: string, schema: JsonSchema, tie: Tie): fc.Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "string":
      return ofText(schema);
    case "integer":
    case "number":
      return ofNumbers(schema, type);
    case "array":
      return ofLists(schema, tie);
    default:
      return ofObjects(schema, tie);
  }
}

/** Samples of the formats that the tests check. */
const formatSamples: Readonly<Record<string, readonly string[]>> = {
  uri: ["file:///a.txt", "no uri"],
  "date-time": ["2026-11-21T22:00:00Z", "yesterday"],
  byte: ["aGk=", "!"],
};

function ofText({ pattern, minLength = 0, maxLength = minLength + 4, format }: JsonSchema): fc.Arbitrary<string> {
  const samples = format === undefined ? undefined : formatSamples[format];
  const free = fc.oneof(
    text(),
    fc.string({ minLength, maxLength }),
    fc.string({ minLength, maxLength, unit: "grapheme" }),
  );
  const fitting =
    pattern === undefined
      ? free
      : fc.oneof({ weight: 3, arbitrary: fc.stringMatching(new RegExp(pattern, "u")) }, free);
  return samples === undefined ? fitting : fc.oneof(fc.constantFrom(...samples), fitting);
}

function ofNumbers(schema: JsonSchema, type: "integer" | "number"): fc.Arbitrary<number> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf = 1 } = schema;
  const limits = [minimum, maximum, exclusiveMinimum, exclusiveMaximum].filter((limit) => limit !== undefined);
  const [low, high] = limits.length === 0 ? [-20, 20] : [Math.min(...limits) - 2, Math.max(...limits) + 2];
  const steps = fc
    .integer({ min: Math.floor(low / multipleOf), max: Math.ceil(high / multipleOf) })
    .map((count) => count * multipleOf);
  const limit = limits.length === 0 ? steps : fc.constantFrom(...limits);
  return type === "integer"
    ? fc.oneof(steps, limit)
    : fc.oneof(steps, limit, fc.double({ noNaN: true, min: low, max: high }));
}

function ofLists(schema: JsonSchema, tie: Tie): fc.Arbitrary<unknown> {
  const { prefixItems = [], items, contains, minItems = 0, maxItems = minItems + 3 } = schema;
  const item = items === undefined ? anyJson() : valuesOf(items, tie);
  const more = fc.array(contains === undefined ? item : fc.oneof(item, valuesOf(contains, tie)), {
    minLength: Math.max(0, minItems - prefixItems.length),
    maxLength: Math.max(0, maxItems - prefixItems.length) + 1,
    depthIdentifier: "lists",
  });
  const first = fc.tuple(...prefixItems.map((part) => valuesOf(part, tie)));
  return fc
    .tuple(first, more, fc.nat(4))
    .map(([begin, rest, cut]) => (cut === 0 ? begin.slice(0, -1) : [...begin, ...rest]));
}

function ofObjects(schema: JsonSchema, tie: Tie): fc.Arbitrary<unknown> {
  const {
    properties = {},
    patternProperties = {},
    additionalProperties,
    unevaluatedProperties,
    propertyNames,
  } = schema;
  const required = new Set(schema.required);
  const named = Object.entries(properties).map(([name, member]) => {
    const entry = valuesOf(member, tie).map((value) => [[name, value] as const]);
    return required.has(name)
      ? fc.oneof({ weight: 9, arbitrary: entry }, { weight: 1, arbitrary: none })
      : sometimes(entry);
  });
  const undescribed = [...required]
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => anyJson().map((value) => [[name, value] as const]));
  const patterned = Object.entries(patternProperties).map(([pattern, values]) =>
    entriesOf(fc.stringMatching(new RegExp(pattern, "u")), valuesOf(values, tie)),
  );
  const others = additionalProperties ?? unevaluatedProperties;
  const free = typeof others === "object" ? valuesOf(others, tie) : anyJson();
  const names = propertyNames === undefined ? fc.string({ maxLength: 4 }) : valuesOf(propertyNames, tie).map(String);
  const extra = others === false ? rarely(entriesOf(names, free)) : sometimes(entriesOf(names, free));
  return fc.tuple(...named, ...undescribed, ...patterned, extra).map((entries) => objectFrom(entries.flat()));
}

type Entries = readonly (readonly [string, unknown])[];

const none: fc.Arbitrary<Entries> = fc.constant([]);

function entriesOf(names: fc.Arbitrary<string>, values: fc.Arbitrary<unknown>): fc.Arbitrary<Entries> {
  return fc.array(fc.tuple(names, values), { maxLength: 2, depthIdentifier: "members" });
}

function sometimes(entries: fc.Arbitrary<Entries>): fc.Arbitrary<Entries> {
  return fc.oneof({ maxDepth: 5, depthIdentifier: "members" }, none, entries);
}

function rarely(entries: fc.Arbitrary<Entries>): fc.Arbitrary<Entries> {
  return fc.oneof({ weight: 6, arbitrary: none }, { weight: 1, arbitrary: entries });
}
