import type { Findings } from "../findings.ts";
import { Place } from "../place.ts";
import type { JsonSchema } from "../schema-document.ts";

/**
 * Warns of members that are required and nowhere described, since nothing says what they are; refuses them in strict
 * mode. A part of a schema may require what is described beside it.
 */
export function checkRequired(schemas: Readonly<Record<string, JsonSchema>>, findings: Findings): void {
  for (const [name, schema] of Object.entries(schemas))
    check(schema, new Place(name, "", { definitions: {}, findings }), new Set(), { schemas, findings });
}

interface Context {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly findings: Findings;
}

function check(schema: JsonSchema, place: Place, beside: ReadonlySet<string>, context: Context): void {
  const { properties = {}, required = [], items, additionalProperties, patternProperties } = schema;
  const { allOf = [], anyOf = [], oneOf = [], prefixItems = [] } = schema;
  const described = new Set([...beside, ...Object.keys(properties)]);
  // One inline part may require what another describes; a definition describes for itself.
  if (allOf.some((part) => part.properties === undefined && part.required !== undefined) || schema.$ref !== undefined) {
    for (const name of describedBy(schema, context.schemas, new Set())) described.add(name);
  }
  const missing = required.find((name) => !described.has(name));
  if (missing !== undefined && patternProperties === undefined) {
    context.findings.problems.collect(() =>
      place.at("required").tolerate(`\`properties\` beside it has no \`${missing}\`: describe it there as well`),
    );
  }
  const inside = (part: JsonSchema, at: Place, known: ReadonlySet<string> = new Set()): void =>
    check(part, at, known, context);
  for (const [name, member] of Object.entries(properties)) inside(member, place.at("properties", name));
  if (items !== undefined) inside(items, place.at("items"));
  prefixItems.forEach((item, index) => inside(item, place.at("prefixItems", index)));
  if (typeof additionalProperties === "object") inside(additionalProperties, place.at("additionalProperties"));
  allOf.forEach((part, index) => inside(part, place.at("allOf", index), described));
  anyOf.forEach((branch, index) => inside(branch, place.at("anyOf", index), described));
  oneOf.forEach((branch, index) => inside(branch, place.at("oneOf", index), described));
}

/** The members that a schema and what it includes describe. */
function* describedBy(
  schema: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
  seen: Set<string>,
): Iterable<string> {
  yield* Object.keys(schema.properties ?? {});
  for (const part of schema.allOf ?? []) yield* describedBy(part, schemas, seen);
  const target = schema.$ref?.replace("#/$defs/", "");
  if (target === undefined || seen.has(target) || !Object.hasOwn(schemas, target)) return;
  seen.add(target);
  yield* describedBy(schemas[target]!, schemas, seen);
}
