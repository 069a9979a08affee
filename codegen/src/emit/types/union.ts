import type { JsonSchema } from "../../model/schema-document.ts";

/**
 * The shapes an `anyOf` or `oneOf` takes in the protocol.
 *
 * - `enum`: constants, open when a branch accepts the whole primitive type besides.
 * - `tagged`: objects told apart by one member, the tag.
 * - `plain`: anything else.
 */
export type Union =
  | { readonly kind: "enum"; readonly values: readonly JsonSchema[]; readonly open?: "string" | "number" }
  | TaggedUnion
  | { readonly kind: "plain"; readonly branches: readonly JsonSchema[] };

/** Objects told apart by the constant value of one member. */
export interface TaggedUnion {
  readonly kind: "tagged";
  readonly tag: string;
  readonly branches: readonly TaggedBranch[];
  /** Whether the schema has a branch for tags it does not know. */
  readonly isOpen: boolean;
}

/** One known member of a tagged union. */
export interface TaggedBranch {
  readonly schema: JsonSchema;
  /** The tag's constant; the title of the fallback. */
  readonly value: string;
  /** The branch that an object without the tag belongs to. */
  readonly isFallback: boolean;
  /** What the tag may hold: the constant; in the fallback its title, or only null where any string is a tag. */
  readonly tag: JsonSchema;
}

/** Classifies the union that sits directly on a schema; `undefined` when there is none. */
export function unionOf(schema: JsonSchema): Union | undefined {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches === undefined) return undefined;
  const values = branches.filter((branch) => "const" in branch);
  if (values.length === 1 && branches.length === 2 && branches.some(({ type }) => type === "null")) {
    return { kind: "plain", branches };
  }
  if (values.length > 0) return enumOf(branches, values);
  const tag = branches.map(constantMember).find((name) => name !== undefined);
  return tag === undefined ? { kind: "plain", branches } : taggedOf(branches, tag);
}

function enumOf(branches: readonly JsonSchema[], values: readonly JsonSchema[]): Union {
  const [rest, ...more] = branches.filter((branch) => !("const" in branch));
  if (rest === undefined) return { kind: "enum", values };
  if (more.length === 0 && rest.type === "string") return { kind: "enum", values, open: "string" };
  if (more.length === 0 && (rest.type === "integer" || rest.type === "number")) {
    return { kind: "enum", values, open: "number" };
  }
  throw new Error("Expected constants and at most one branch for other strings or numbers");
}

function taggedOf(branches: readonly JsonSchema[], tag: string): Union {
  const known = branches.filter((branch) => branch.not === undefined);
  return {
    kind: "tagged",
    tag,
    isOpen: known.length < branches.length,
    branches: known.map((schema) => taggedBranch(schema, tag, known.length < branches.length)),
  };
}

function taggedBranch(schema: JsonSchema, tag: string, isOpen: boolean): TaggedBranch {
  const own = schema.properties?.[tag];
  if (typeof own?.const === "string") return { schema, value: own.const, isFallback: false, tag: own };
  if (schema.title === undefined) throw new Error(`a branch has neither a constant ${tag} nor a title`);
  const otherwise: JsonSchema = isOpen ? { type: "null" } : { const: schema.title };
  return { schema, value: schema.title, isFallback: true, tag: own ?? otherwise };
}

/** The required member with a constant value, if the branch has one. */
function constantMember(branch: JsonSchema): string | undefined {
  return Object.entries(branch.properties ?? {}).find(
    ([name, member]) => typeof member.const === "string" && branch.required?.includes(name),
  )?.[0];
}
