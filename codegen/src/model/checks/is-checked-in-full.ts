import { isKnownFormat, stringFormats } from "../formats.ts";
import { conditionKeywords, validatorKeywords } from "../keywords.ts";
import { isPlainObject, type JsonSchema } from "../schema-document.ts";
import { subschemas } from "../subschemas.ts";
import { taggedShape } from "../union-shape.ts";

/**
 * Whether decoders check everything that a schema and its references demand. If not, a value may seem to fit several
 * branches of a `oneOf` that only a validator can tell apart.
 */
export function isCheckedInFull(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  seen: Set<string> = new Set(),
): boolean {
  // The schema `false` is never skipped.
  if (!isPlainObject(schema) || isNever(schema)) return true;
  if (Object.entries(schema).some(([keyword, value]) => isIgnored(keyword, value))) return false;
  const { $ref, anyOf, oneOf, discriminator } = schema as JsonSchema;
  const union = anyOf ?? oneOf;
  const open = union === undefined ? undefined : taggedShape(union, definitions, discriminator)?.other;
  for (const { schema: part } of subschemas(schema)) {
    // The branch for all other tags says with `not` which it leaves to others.
    const { not, ...rest } = part;
    if (!isCheckedInFull(part === open && not !== undefined ? rest : part, definitions, seen)) return false;
  }
  const target = $ref?.replace("#/$defs/", "");
  if (target === undefined || seen.has(target) || !Object.hasOwn(definitions, target)) return true;
  seen.add(target);
  return isCheckedInFull(definitions[target]!, definitions, seen);
}

function isIgnored(keyword: string, value: unknown): boolean {
  if (validatorKeywords.includes(keyword) || conditionKeywords.includes(keyword)) return true;
  if (keyword === "format") return typeof value !== "string" || stringFormats.includes(value) || !isKnownFormat(value);
  if (keyword === "additionalProperties" || keyword === "unevaluatedProperties") return value === false;
  return keyword === "pattern" || keyword === "patternProperties";
}

function isNever({ not }: JsonSchema): boolean {
  return isPlainObject(not) && Object.keys(not).length === 0;
}
