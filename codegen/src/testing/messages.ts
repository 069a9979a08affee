import * as fc from "fast-check";
import { type TaggedShape, unionShape } from "../model/union-shape.ts";
import type { JsonSchema, SchemaDocument } from "../model/schema-document.ts";
import { anyJson, freeObject, hostileKeys, isObject, objectFrom, text } from "./json.ts";

/** A value that stands for a tag no version of the protocol has. */
const unknownTags = ["_acme", "from_the_future", "", "toString", "__proto__"] as const;

/**
 * Arbitrary valid messages: for each definition of the schema a fast-check arbitrary of values that it describes.
 *
 * The values have required and some optional members, nulls where they are allowed, every branch of every union,
 * values at the bounds, free-form JSON, and members that the schema does not know.
 */
export function messages(document: SchemaDocument): Readonly<Record<string, fc.Arbitrary<unknown>>> {
  return fc.letrec((tie) =>
    Object.fromEntries(
      Object.entries(document.$defs)
        .filter(([, definition]) => definition["x-docs-ignore"] !== true)
        .map(([name, definition]) => [name, valuesOf(definition, (reference) => tie(reference))]),
    ),
  );
}

type Tie = (definition: string) => fc.Arbitrary<unknown>;

function valuesOf(schema: JsonSchema, tie: Tie): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return tie(schema.$ref.replace("#/$defs/", ""));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const parts = [
    ...own(schema, tie),
    ...(schema.allOf ?? []).map((part) => valuesOf(part, tie)),
    ...ofUnion(schema, tie),
  ];
  const [only] = parts;
  if (only === undefined) return anyJson();
  return parts.length === 1 ? only : fc.tuple(...parts).map(merged);
}

/** One value that is what each of the parts describes; the later ones are more special (a tag, say). */
function merged(parts: readonly unknown[]): unknown {
  const objects = parts.filter(isObject);
  return objects.length === parts.length ? objectFrom(objects.flatMap((part) => Object.entries(part))) : parts[0];
}

function own(schema: JsonSchema, tie: Tie): fc.Arbitrary<unknown>[] {
  if (schema.properties !== undefined) return [nullableIf(schema, ofMembers(schema, schema.properties, tie))];
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  const [first, ...rest] = types.map((type) => ofType(type, schema, tie));
  return first === undefined ? [] : [fc.oneof(first, ...rest)];
}

function nullableIf(schema: JsonSchema, values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return Array.isArray(schema.type) && schema.type.includes("null") ? fc.option(values, { freq: 4 }) : values;
}

function ofMembers(
  schema: JsonSchema,
  properties: Readonly<Record<string, JsonSchema>>,
  tie: Tie,
): fc.Arbitrary<unknown> {
  const known = Object.entries(properties).map(([name, member]) => {
    const values = valuesOf(member, tie).map((value) => [[name, value] as const]);
    return schema.required?.includes(name) ? values : sometimes(values, name === "_meta" ? 0.25 : 0.6);
  });
  const names = fc.constantFrom(...hostileKeys, "x-vendor", "\u00fcber");
  const unknown = sometimes(
    fc.tuple(names, anyJson()).map((entry) => [entry]),
    0.25,
  );
  return fc.tuple(...known, unknown).map((entries) => objectFrom(entries.flat()));
}

/** No members, or with the given likelihood these. */
function sometimes<T>(members: fc.Arbitrary<T[]>, likelihood: number): fc.Arbitrary<T[]> {
  const weight = Math.round(likelihood * 100);
  const none: fc.Arbitrary<T[]> = fc.constant([]);
  return fc.oneof({ withCrossShrink: true }, { weight: 100 - weight, arbitrary: none }, { weight, arbitrary: members });
}

function ofType(type: string, schema: JsonSchema, tie: Tie): fc.Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "string":
      return ofString(schema);
    case "integer":
      return ofInteger(schema);
    case "number":
      return fc.double({
        noNaN: true,
        noDefaultInfinity: true,
        min: schema.minimum ?? -1e300,
        max: schema.maximum ?? 1e300,
      });
    case "array":
      return fc.array(schema.items ? valuesOf(schema.items, tie) : anyJson(), {
        minLength: schema.minItems ?? 0,
        maxLength: 3,
      });
    case "object":
      return freeObject(
        typeof schema.additionalProperties === "object" ? valuesOf(schema.additionalProperties, tie) : anyJson(),
      );
    default:
      throw new Error(`No values for the type ${type}`);
  }
}

function ofString(schema: JsonSchema): fc.Arbitrary<string> {
  switch (schema.format) {
    case "uri":
      return fc.constantFrom("file:///home/a%20b.txt", "https://example.com/x?y=1#z", "urn:uuid:1", "data:,x");
    case "date-time":
      return fc.constantFrom("2026-11-21T22:00:00Z", "1999-12-31T23:59:59.999+01:00");
    case "regex":
      return fc.constantFrom("^a+$", "", "[0-9]{2}");
    default:
      return schema.minLength === undefined ? text() : text().map((value) => value.padEnd(schema.minLength ?? 0, "x"));
  }
}

/** The least and the greatest value of each integer format; 64 bits end where numbers are exact. */
const bounds: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint16: [0, 2 ** 16 - 1],
  uint32: [0, 2 ** 32 - 1],
  int64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  uint64: [0, Number.MAX_SAFE_INTEGER],
};

function ofInteger(schema: JsonSchema): fc.Arbitrary<number> {
  const [least, greatest] = bounds[schema.format ?? "int64"] ?? [0, 0];
  const min = Math.max(least, schema.minimum ?? least);
  const max = Math.min(greatest, schema.maximum ?? greatest);
  return fc.oneof(
    fc.integer({ min, max: Math.min(max, min + 100) }),
    fc.integer({ min, max }),
    fc.constantFrom(min, max),
  );
}

function ofUnion(schema: JsonSchema, tie: Tie): fc.Arbitrary<unknown>[] {
  const shape = unionShape(schema);
  if (shape === undefined) return [];
  switch (shape.kind) {
    case "nullable":
      return [fc.option(valuesOf(shape.schema, tie), { freq: 4 })];
    case "constants":
      return [fc.oneof(fc.constantFrom(...shape.values), ...(shape.open ? [valuesOf(shape.open, tie)] : []))];
    case "tagged":
      return [ofTagged(shape, tie)];
    default:
      return [fc.oneof(...shape.branches.map((branch) => valuesOf(branch, tie)))];
  }
}

function ofTagged({ tag, branches, other, untagged }: TaggedShape, tie: Tie): fc.Arbitrary<unknown> {
  const known = branches.map(({ value, schema }) =>
    valuesOf(schema, tie).map((object) => merged([object, { [tag]: value }])),
  );
  const open =
    other &&
    fc
      .tuple(valuesOf({ ...other, not: undefined }, tie), fc.constantFrom(...unknownTags))
      .map(([object, value]) => merged([object, { [tag]: value }]));
  return fc.oneof(...known, ...(open ? [open] : []), ...(untagged ? [valuesOf(untagged, tie)] : []));
}
