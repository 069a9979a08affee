import { Place } from "./place.ts";
import type { JsonSchema } from "./schema-document.ts";

/**
 * Refuses members that are required and nowhere described: nothing says what they are, and what stands for them in the
 * types would be left to chance. The branches of a union may require what is described beside it.
 *
 * @throws SchemaError naming the definition, the place and the member.
 */
export function checkRequired(schemas: Readonly<Record<string, JsonSchema>>): void {
  for (const [name, schema] of Object.entries(schemas)) check(schema, new Place(name), []);
}

function check(schema: JsonSchema, place: Place, beside: readonly string[]): void {
  const { properties = {}, required = [], items, additionalProperties, allOf = [], anyOf, oneOf } = schema;
  const described = [...beside, ...Object.keys(properties)];
  const missing = required.find((name) => !described.includes(name));
  if (missing !== undefined) {
    throw place.at("required").unsupported(`\`properties\` beside it has no \`${missing}\`: describe it there as well`);
  }
  for (const [name, member] of Object.entries(properties)) check(member, place.at("properties", name), []);
  if (items !== undefined) check(items, place.at("items"), []);
  if (typeof additionalProperties === "object") check(additionalProperties, place.at("additionalProperties"), []);
  const keyword = anyOf === undefined ? "oneOf" : "anyOf";
  allOf.forEach((part, index) => check(part, place.at("allOf", index), described));
  (anyOf ?? oneOf ?? []).forEach((branch, index) => check(branch, place.at(keyword, index), described));
}
