import { unionOf } from "../emit/types/union.ts";
import type { JsonSchema } from "../model/schema-document.ts";

/** What of a definition prose can be about. */
export interface Places {
  /** The member that tells the variants of the definition's union apart. Its constants are values, not a member. */
  readonly tag: string | undefined;
  readonly members: ReadonlySet<string>;
  /** Values of an enum and tags of variants, by the branch that stands for them. */
  readonly values: ReadonlyMap<JsonSchema, string>;
}

/** Finds the members and values of a definition, those in the branches of its union included. */
export function placesOf(schema: JsonSchema): Places {
  const union = unionOf(schema);
  const tag = union?.kind === "tagged" ? union.tag : undefined;
  const values = new Map<JsonSchema, string>();
  if (union?.kind === "enum") for (const value of union.values) values.set(value, String(value.const));
  if (union?.kind === "tagged") for (const branch of union.branches) values.set(branch.schema, branch.value);

  const objects = [schema, ...branchesOf(schema).filter((branch) => branch.not === undefined)];
  const members = new Set(objects.flatMap((object) => Object.keys(object.properties ?? {})));
  if (tag !== undefined) members.delete(tag);
  return { tag, members, values };
}

/** The branches of the union on a definition; none when it has no union. */
function branchesOf(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf ?? schema.oneOf ?? [];
}
