import type { Place } from "./place.ts";
import { isPlainObject } from "./schema-document.ts";

/** Keywords that say something about a schema without changing what it accepts. */
export const annotations: readonly string[] = [
  "title",
  "description",
  "deprecated",
  "default",
  "examples",
  "readOnly",
  "writeOnly",
  "$comment",
  "contentMediaType",
  "contentSchema",
];

/** The annotations of the protocol. Schemas may have others that begin with `x-`: they are ignored, with a warning. */
export const protocolKeywords: readonly string[] = [
  "x-docs-ignore",
  "x-method",
  "x-side",
  "x-deserialize-default-on-error",
  "x-deserialize-default-on-null",
  "x-deserialize-skip-invalid-items",
];

/** Keywords that types cannot say and decoders do not check: only validators hold values to them. */
export const validatorKeywords: readonly string[] = [
  "maxLength",
  "maxItems",
  "uniqueItems",
  "multipleOf",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "propertyNames",
  "minProperties",
  "maxProperties",
  "contains",
  "minContains",
  "maxContains",
  "dependentRequired",
];

/** The same, of keywords that say so much about the shape of a value that ignoring them deserves a warning. */
export const conditionKeywords: readonly string[] = [
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
  "unevaluatedItems",
];

/** Keywords about the members of an object itself. */
export const objectKeywords: readonly string[] = [
  "properties",
  "required",
  "additionalProperties",
  "unevaluatedProperties",
  "patternProperties",
];

/** Keywords that make a schema of others. */
export const combinators: readonly string[] = ["$ref", "allOf", "anyOf", "oneOf", "discriminator"];

/** Every keyword that a schema in normal form may have. */
export const knownKeywords: ReadonlySet<string> = new Set([
  "type",
  "const",
  "enum",
  "format",
  "pattern",
  "minLength",
  "contentEncoding",
  "minimum",
  "maximum",
  "items",
  "prefixItems",
  "minItems",
  ...objectKeywords,
  ...combinators,
  ...validatorKeywords,
  ...conditionKeywords,
  ...annotations,
  ...protocolKeywords,
]);

/** A schema's keywords, as a record to look into. */
export type Keywords = Readonly<Record<string, unknown>>;

/** Narrows a schema to its keywords. */
export function keywordsOf(schema: unknown, place: Place): Keywords {
  if (!isPlainObject(schema)) throw place.unsupported("expected a schema object");
  return schema;
}

/** Drops the keywords that say nothing about the shape of a value, or that only validators hold it to. */
export function shapeKeywords(keywords: Keywords, place: Place, dealtWith: readonly string[] = []): Keywords {
  const kept: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(keywords)) {
    if (dealtWith.includes(keyword) || annotations.includes(keyword) || validatorKeywords.includes(keyword)) continue;
    if (conditionKeywords.includes(keyword)) {
      place.warn(`types and decoders ignore the keyword \`${keyword}\`; only validators check it`);
    } else kept[keyword] = value;
  }
  return kept;
}

/** What the schema calls this alternative, when it does. */
export function titleOf(schema: Keywords): { title?: string; docs?: string; deprecated?: true } {
  const { title, description, deprecated } = schema;
  return {
    ...(typeof title === "string" && { title }),
    ...(typeof description === "string" && { docs: description }),
    ...(deprecated === true && { deprecated }),
  };
}
