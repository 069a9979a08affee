import { isPlainObject, type JsonSchema } from "./schema-document.ts";

/** Keywords whose values are schemas by free names. */
export const schemaMaps: readonly string[] = ["properties", "patternProperties", "dependentSchemas"];
/** Keywords whose values are lists of schemas. */
export const schemaLists: readonly string[] = ["allOf", "anyOf", "oneOf", "prefixItems"];
/** Keywords whose values are schemas. */
export const singleSchemas: readonly string[] = [
  "items",
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
  "propertyNames",
  "contains",
  "not",
  "if",
  "then",
  "else",
];

/** All of them. */
export const schemaKeywords: readonly string[] = [
  "properties",
  "items",
  ...[...schemaMaps, ...schemaLists, ...singleSchemas].filter((name) => name !== "properties" && name !== "items"),
];
/** Keywords of objects that say with a boolean whether they are open. */
export const switches: readonly string[] = ["additionalProperties", "unevaluatedProperties"];

/** A schema directly inside another one, and the way to it. */
export interface Subschema {
  readonly schema: JsonSchema;
  readonly keyword: string;
  readonly steps: readonly (string | number)[];
}

/** The schemas directly inside a schema; booleans, which only say whether objects are open, are none. */
export function* subschemas(schema: JsonSchema): Iterable<Subschema> {
  for (const [keyword, value] of Object.entries(schema) as [string, unknown][]) {
    if (schemaMaps.includes(keyword) && isPlainObject(value)) {
      for (const [name, part] of Object.entries(value))
        yield { schema: part as JsonSchema, keyword, steps: [keyword, name] };
    } else if (schemaLists.includes(keyword) && Array.isArray(value)) {
      for (const [index, part] of value.entries()) yield { schema: part, keyword, steps: [keyword, index] };
    } else if (singleSchemas.includes(keyword) && typeof value === "object") {
      yield { schema: value as JsonSchema, keyword, steps: [keyword] };
    }
  }
}

/** The schema with each schema directly inside it replaced by what `change` makes of it. */
export function mapSubschemas(
  schema: JsonSchema,
  change: (part: JsonSchema, keyword: string) => JsonSchema,
): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]: [string, unknown]) => {
      if (schemaMaps.includes(keyword) && isPlainObject(value)) {
        const parts = Object.entries(value).map(([name, part]) => [name, change(part as JsonSchema, keyword)]);
        return [keyword, Object.fromEntries(parts)];
      }
      if (schemaLists.includes(keyword) && Array.isArray(value)) {
        return [keyword, value.map((part: JsonSchema) => change(part, keyword))];
      }
      const isSchema = singleSchemas.includes(keyword) && typeof value === "object" && value !== null;
      return [keyword, isSchema ? change(value, keyword) : value];
    }),
  );
}
