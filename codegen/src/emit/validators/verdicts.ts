import { numberFormats } from "../../model/formats.ts";
import { isPlainObject, type JsonSchema } from "../../model/schema-document.ts";
import type { Definitions } from "../../model/union-shape.ts";

/** The types of JSON. */
type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object";

/** What is known of definitions already: each is looked at once, however many ways lead to it. */
const known = new WeakMap<Definitions, Map<string, boolean>>();

/** Whether a schema takes any value of a type; `true` where that is not sure. */
export function mayTake(type: JsonType, schema: JsonSchema, definitions: Definitions): boolean {
  if (typeof (schema as unknown) !== "object") return Boolean(schema);
  const { $ref, type: types, const: constant, enum: values, allOf = [], anyOf, oneOf } = schema;
  if (constant !== undefined && typeOf(constant) !== type) return false;
  if (values !== undefined && !values.some((value) => typeOf(value) === type)) return false;
  const named = types === undefined ? undefined : [types].flat().map((name) => (name === "integer" ? "number" : name));
  if (named !== undefined && !named.includes(type)) return false;
  const mayAlso = (part: JsonSchema): boolean => mayTake(type, part, definitions);
  if (!allOf.every(mayAlso)) return false;
  if ([anyOf, oneOf].some((branches) => branches !== undefined && !branches.some(mayAlso))) return false;
  const target = $ref?.replace("#/$defs/", "");
  return target === undefined || !Object.hasOwn(definitions, target) || mayBe(type, target, definitions);
}

function mayBe(type: JsonType, name: string, definitions: Definitions): boolean {
  const verdicts = known.get(definitions) ?? new Map<string, boolean>();
  known.set(definitions, verdicts);
  const key = `${type} ${name}`;
  const verdict = verdicts.get(key);
  if (verdict !== undefined) return verdict;
  // What leads back to itself is not sure.
  verdicts.set(key, true);
  const may = mayTake(type, definitions[name]!, definitions);
  verdicts.set(key, may);
  return may;
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
