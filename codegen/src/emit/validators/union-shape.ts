import type { JsonSchema } from "../../model/schema-document.ts";

/** One branch of a tagged union. */
interface TaggedBranch {
  /** The value of the tag. */
  readonly value: string;
  readonly schema: JsonSchema;
}

/** What the branches of an `anyOf` or `oneOf` have in common. */
export type UnionShape =
  /** One schema, or `null`. */
  | { readonly kind: "nullable"; readonly schema: JsonSchema }
  /** Constants of one type; `open` when any other value of that type is valid as well. */
  | {
      readonly kind: "constants";
      readonly type: string;
      readonly values: readonly unknown[];
      readonly open?: JsonSchema;
    }
  | TaggedShape
  /** Anything else: the branches have to be tried one by one. */
  | { readonly kind: "alternatives"; readonly branches: readonly JsonSchema[] };

/** Objects told apart by the constant in one member. */
export interface TaggedShape {
  readonly kind: "tagged";
  readonly tag: string;
  readonly branches: readonly TaggedBranch[];
  /** The branch for any other string in the tag. */
  readonly other?: JsonSchema;
  /** The branch that has no tag. */
  readonly untagged?: JsonSchema;
}

/** Finds out what kind of union the `anyOf` or `oneOf` of `schema` is; undefined when it has neither. */
export function unionShape(schema: JsonSchema): UnionShape | undefined {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches === undefined) return undefined;
  return nullable(branches) ?? constants(branches) ?? tagged(branches) ?? { kind: "alternatives", branches };
}

function nullable(branches: readonly JsonSchema[]): UnionShape | undefined {
  const rest = branches.filter((branch) => branch.type !== "null");
  const [schema] = rest;
  if (schema === undefined || rest.length !== 1 || branches.length !== 2) return undefined;
  return { kind: "nullable", schema };
}

function constants(branches: readonly JsonSchema[]): UnionShape | undefined {
  const type = branches[0]?.type;
  if (typeof type !== "string" || type === "object") return undefined;
  if (branches.some((branch) => branch.type !== type)) return undefined;
  const open = branches.filter((branch) => branch.const === undefined);
  if (open.length > 1 || open.length === branches.length) return undefined;
  const values = branches.flatMap((branch) => (branch.const === undefined ? [] : [branch.const]));
  return { kind: "constants", type, values, ...(open[0] && { open: open[0] }) };
}

function tagged(branches: readonly JsonSchema[]): TaggedShape | undefined {
  const tag = branches.map(tagOf).find((found) => found !== undefined)?.tag;
  if (tag === undefined) return undefined;
  const known: TaggedBranch[] = [];
  let other: JsonSchema | undefined;
  let untagged: JsonSchema | undefined;
  for (const schema of branches) {
    const found = tagOf(schema);
    if (found?.tag === tag) known.push({ value: found.value, schema });
    else if (schema.not !== undefined && other === undefined) other = schema;
    else if (untagged === undefined) untagged = schema;
    else return undefined;
  }
  if (other?.not !== undefined && !excludes(other.not, tag, known)) return undefined;
  return { kind: "tagged", tag, branches: known, ...(other && { other }), ...(untagged && { untagged }) };
}

/** Whether a `not` names the known tags and no others. */
function excludes({ anyOf = [] }: JsonSchema, tag: string, known: readonly TaggedBranch[]): boolean {
  const named = anyOf.map(tagOf).map((found) => (found?.tag === tag ? found.value : undefined));
  return named.length === known.length && known.every(({ value }) => named.includes(value));
}

function tagOf(branch: JsonSchema): { readonly tag: string; readonly value: string } | undefined {
  for (const [tag, { const: value }] of Object.entries(branch.properties ?? {})) {
    if (typeof value === "string" && branch.required?.includes(tag)) return { tag, value };
  }
  return undefined;
}
