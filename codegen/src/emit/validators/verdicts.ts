import { numberFormats } from "../../model/formats.ts";
import { isPlainObject, type JsonSchema } from "../../model/schema-document.ts";
import type { Definitions } from "../../model/union-shape.ts";

/** The types of JSON. */
type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object";

/** Whether a schema takes any value of a type; `true` where that is not sure. */
export function mayTake(
  type: JsonType,
  schema: JsonSchema,
  definitions: Definitions,
  seen: ReadonlySet<string> = new Set(),
): boolean {
  if (typeof (schema as unknown) !== "object") return Boolean(schema);
  const { $ref, type: types, const: constant, enum: values, allOf = [], anyOf, oneOf } = schema;
  if (constant !== undefined && typeOf(constant) !== type) return false;
  if (values !== undefined && !values.some((value) => typeOf(value) === type)) return false;
  const named = types === undefined ? undefined : [types].flat().map((name) => (name === "integer" ? "number" : name));
  if (named !== undefined && !named.includes(type)) return false;
  const mayAlso = (part: JsonSchema): boolean => mayTake(type, part, definitions, seen);
  if (!allOf.every(mayAlso)) return false;
  if ([anyOf, oneOf].some((branches) => branches !== undefined && !branches.some(mayAlso))) return false;
  const target = $ref?.replace("#/$defs/", "");
  if (target === undefined || seen.has(target) || !Object.hasOwn(definitions, target)) return true;
  return mayTake(type, definitions[target]!, definitions, new Set([...seen, target]));
}

/** Whether it is sure that a schema takes objects only. */
export function takesOnlyObjects(schema: JsonSchema, definitions: Definitions): boolean {
  const others: readonly JsonType[] = ["null", "boolean", "number", "string", "array"];
  return others.every((type) => !mayTake(type, schema, definitions));
}

function typeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isPlainObject(value)) return "object";
  return typeof value as JsonType;
}

/** Whether it is sure that a schema for numbers or text takes one of them. */
export function isKept(value: unknown, schema: JsonSchema): boolean {
  const { type, format, minimum = -Infinity, maximum = Infinity, ...others } = schema;
  if (Object.keys(others).length > 0) return false;
  if (format === undefined && schema.minimum === undefined && schema.maximum === undefined) return true;
  const range = format === undefined ? undefined : numberFormats[format];
  if (type === "string" || (format !== undefined && range === undefined)) return false;
  const { min = -Infinity, max = Infinity } = range ?? {};
  const number = Number(value);
  return number >= Math.max(minimum, min) && number <= Math.min(maximum, max);
}
