/** A JSON object, as a row writes it down. */
export type Json = { readonly [member: string]: unknown };

/** A value as a JSON object; an empty one if it is none. */
export function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** Reads a member of a member of an object. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let current = value;
  for (const part of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = (current as { readonly [member: string | number]: unknown })[part];
  }
  return current;
}
