import { unionOf } from "../emit/types/union.ts";
import type { JsonSchema } from "../model/schema-document.ts";

/** What of a definition prose can be about. */
export interface Places {
  /** Those inside a member without a definition of its own by the way to them: `range.start`. Tags are not among them. */
  readonly members: ReadonlySet<string>;
  /** Values of an enum and tags of variants, by the branch that stands for them. */
  readonly values: ReadonlyMap<JsonSchema, string>;
}

/** Finds the members and values of a definition, those in the branches of its union included. */
export function placesOf(schema: JsonSchema): Places {
  const union = unionOf(schema);
  const values = new Map<JsonSchema, string>();
  if (union?.kind === "enum") for (const value of union.values) values.set(value, String(value.const));
  if (union?.kind === "tagged") for (const branch of union.branches) values.set(branch.schema, branch.value);
  const members = new Set<string>();
  mapMembers(schema, (place, member) => {
    members.add(place);
    return member;
  });
  return { members, values };
}

/**
 * Changes each member of a definition that prose can be about, by its place: those of branches and, wherever a member
 * has no definition of its own, those inside it.
 */
export function mapMembers(schema: JsonSchema, change: (place: string, member: JsonSchema) => JsonSchema): JsonSchema {
  const within = (part: JsonSchema, prefix: string, outerTag?: string): JsonSchema => {
    // Branches for unknown variants stand for what nobody can describe.
    if (part.not !== undefined) return part;
    const union = unionOf(part);
    // The constants of a tag are values, not a member.
    const tag = union?.kind === "tagged" ? union.tag : outerTag;
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
