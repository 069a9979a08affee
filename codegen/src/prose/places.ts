import type { JsonSchema } from "../model/schema-document.ts";
import { type Definitions, taggedShape, type TaggedShape } from "../model/union-shape.ts";

/** What of a definition prose can be about. */
export interface Places {
  /** Those inside a member without a definition of its own by the way to them: `range.start`. Tags are not among them. */
  readonly members: ReadonlySet<string>;
  /** Values of an enum and tags of variants, by the branch that stands for them. */
  readonly values: ReadonlyMap<JsonSchema, string>;
}

/** Finds the members and values of a definition, those in the branches of its union included. */
export function placesOf(schema: JsonSchema, definitions: Definitions = {}): Places {
  const values = new Map<JsonSchema, string>();
  const tagged = tagging(schema, definitions);
  for (const constant of constants(schema)) values.set(constant, String(constant.const));
  for (const { schema: branch, value } of tagged?.branches ?? []) values.set(branch, value);
  if (tagged?.untagged?.title !== undefined) values.set(tagged.untagged, tagged.untagged.title);
  const members = new Set<string>();
  mapMembers(schema, definitions, (place, member) => {
    members.add(place);
    return member;
  });
  return { members, values };
}

function tagging(schema: JsonSchema, definitions: Definitions): TaggedShape | undefined {
  const branches = schema.anyOf ?? schema.oneOf;
  return branches === undefined ? undefined : taggedShape(branches, definitions, schema.discriminator);
}

/** The constants of an enum; one constant beside `null` is a value that may be absent. */
function constants(schema: JsonSchema): readonly JsonSchema[] {
  const branches = schema.anyOf ?? schema.oneOf ?? [];
  const values = branches.filter((branch) => "const" in branch);
  const isNullable = values.length === 1 && branches.length === 2 && branches.some(({ type }) => type === "null");
  return isNullable ? [] : values;
}

/**
 * Changes each member of a definition that prose can be about, by its place: those of branches and, wherever a member
 * has no definition of its own, those inside it.
 */
export function mapMembers(
  schema: JsonSchema,
  definitions: Definitions,
  change: (place: string, member: JsonSchema) => JsonSchema,
): JsonSchema {
  const within = (part: JsonSchema, prefix: string, outerTag?: string): JsonSchema => {
    // Branches for unknown variants stand for what nobody can describe.
    if (part.not !== undefined) return part;
    // The constants of a tag are values, not a member.
    const tag = constants(part).length > 0 ? outerTag : (tagging(part, definitions)?.tag ?? outerTag);
    const members = Object.entries(part.properties ?? {}).map(([name, member]) => {
      const place = `${prefix}${name}`;
      return [name, name === tag ? member : within(change(place, member), `${place}.`)];
    });
    const { items, additionalProperties: free, allOf, anyOf, oneOf } = part;
    const branch = (inner: JsonSchema): JsonSchema => within(inner, prefix, tag);
    return {
      ...part,
      ...(part.properties !== undefined && { properties: Object.fromEntries(members) }),
      ...(items !== undefined && { items: within(items, prefix) }),
      ...(typeof free === "object" && { additionalProperties: within(free, prefix) }),
      ...(allOf !== undefined && { allOf: allOf.map(branch) }),
      ...(anyOf !== undefined && { anyOf: anyOf.map(branch) }),
      ...(oneOf !== undefined && { oneOf: oneOf.map(branch) }),
    };
  };
  return within(schema, "");
}
