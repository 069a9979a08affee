import type { JsonSchema, SchemaDocument } from "../model/schema-document.ts";

/** A member that the schema tells how to tolerate. */
export interface HintedMember {
  /** The definition whose own member it is. */
  readonly definition: string;
  readonly member: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  /** The members that a message must have for this one to be read: those of the branch it belongs to. */
  readonly beside: readonly string[];
}

/** The three kinds of tolerance. */
export type Hint =
  | "x-deserialize-default-on-error"
  | "x-deserialize-skip-invalid-items"
  | "x-deserialize-default-on-null";

/**
 * All members of the schema that carry a hint.
 *
 * @throws when a hint stands anywhere else than on a member of a definition or of one of its branches.
 */
export function hintedMembers(document: SchemaDocument, hint: Hint): readonly HintedMember[] {
  const found: HintedMember[] = [];
  for (const [definition, schema] of Object.entries(document.$defs)) {
    for (const part of [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
      const beside = part === schema ? [] : (part.required ?? []);
      for (const [member, described] of Object.entries(part.properties ?? {})) {
        const required = part.required?.includes(member) ?? false;
        if (described[hint]) found.push({ definition, member, schema: described, required, beside });
      }
    }
  }
  const written = JSON.stringify(document).split(`"${hint}":true`).length - 1;
  if (written !== found.length)
    throw new Error(`${written - found.length} of ${written} ${hint} are not on a definition's member`);
  return found;
}
