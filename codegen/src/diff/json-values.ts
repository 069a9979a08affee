import { isPlainObject } from "../model/schema-document.ts";

/** Whether a JSON value is of a type of JSON Schema. */
export function hasType(value: unknown, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isPlainObject(value);
  return value === null ? type === "null" : typeof value === type;
}

/** Whether two values are written alike, in any order of their members. */
export function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, sorted(value[name])]),
  );
}
