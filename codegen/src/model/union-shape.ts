import { isPlainObject, type JsonSchema } from "./schema-document.ts";

/** One branch of a tagged union. */
export interface TaggedBranch {
  /** The value of the tag. */
  readonly value: string;
  readonly schema: JsonSchema;
  /** Whether the definition that the branch refers to has the tag itself. */
  readonly isCarried?: true;
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

/** The definitions that branches may refer to. */
export type Definitions = Readonly<Record<string, JsonSchema>>;

/** Finds out what kind of union the `anyOf` or `oneOf` of `schema` is; undefined when it has neither. */
export function unionShape(schema: JsonSchema, definitions: Definitions = {}): UnionShape | undefined {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches === undefined) return undefined;
  return (
    nullable(schema, branches, definitions) ??
    constants(branches) ??
    taggedShape(branches, definitions, schema.discriminator) ?? { kind: "alternatives", branches }
  );
}

function nullable(
  schema: JsonSchema,
  branches: readonly JsonSchema[],
  definitions: Definitions,
): UnionShape | undefined {
  const rest = branches.filter((branch) => branch.type !== "null");
  const [only] = rest;
  if (only === undefined || rest.length !== branches.length - 1) return undefined;
  if (rest.length === 1) return { kind: "nullable", schema: only };
  const union: JsonSchema = {
    [schema.anyOf === undefined ? "oneOf" : "anyOf"]: rest,
    ...(schema.discriminator && { discriminator: schema.discriminator }),
  };
  const isTold = constants(rest) ?? taggedShape(rest, definitions, schema.discriminator);
  return isTold === undefined ? undefined : { kind: "nullable", schema: union };
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

/**
 * Finds the member that tells the branches of a union apart: the `discriminator` if there is one; else the required
 * constant that every branch has with a value of its own; else one that every branch has but a titled one, which is
 * for objects without the tag. A branch with `not` is for all other tags.
 */
export function taggedShape(
  branches: readonly JsonSchema[],
  definitions: Definitions,
  discriminator?: JsonSchema["discriminator"],
): TaggedShape | undefined {
  const known = branches.filter(({ not }) => not === undefined);
  const others = branches.filter(({ not }) => not !== undefined);
  if (others.length > 1 || known.length === 0) return undefined;
  const constantsOf = new Map(known.map((branch) => [branch, requiredConstants(branch, definitions)]));
  const names = new Set([...constantsOf.values()].flatMap((found) => [...found.keys()]));
  const mapped = mappedValues(discriminator);
  const candidates = discriminator === undefined ? [...names] : [discriminator.propertyName];
  const split = (tag: string): TaggedShape | undefined => {
    const tagged = known.flatMap((schema): readonly TaggedBranch[] => {
      const constant = constantsOf.get(schema)?.get(tag);
      if (constant !== undefined)
        return [{ schema, value: constant.value, ...(constant.isCarried && { isCarried: true }) }];
      return (mapped.get(schema.$ref ?? "") ?? []).map((value) => ({ schema, value }));
    });
    const isUnique = new Set(tagged.map(({ value }) => value)).size === tagged.length;
    const rest = known.filter((schema) => !tagged.some((branch) => branch.schema === schema));
    const [untagged] = rest;
    if (!isUnique || tagged.length === 0 || rest.length > 1) return undefined;
    if (untagged !== undefined && (!isUntagged(untagged, tag) || tagged.some(({ isCarried }) => isCarried))) {
      return undefined;
    }
    const [other] = others;
    if (other?.not !== undefined && !excludes(other.not, tag, tagged)) return undefined;
    return { kind: "tagged", tag, branches: tagged, ...(other && { other }), ...(untagged && { untagged }) };
  };
  const shapes = candidates.map(split).filter((shape) => shape !== undefined);
  return shapes.find(({ untagged }) => untagged === undefined) ?? shapes[0];
}

/** The values of the tag by the reference that an OpenAPI discriminator maps them to. */
function mappedValues(discriminator: JsonSchema["discriminator"]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const [value, target] of Object.entries(discriminator?.mapping ?? {})) {
    values.set(target, [...(values.get(target) ?? []), value]);
  }
  return values;
}

/** Whether a branch is for objects without the tag: it has a title to be named by, and says at most that the tag is null. */
function isUntagged({ title, type = "object", $ref, properties, anyOf, oneOf }: JsonSchema, tag: string): boolean {
  const own = properties?.[tag];
  const isNull = own === undefined || own.type === "null";
  return title !== undefined && type === "object" && $ref === undefined && !anyOf && !oneOf && isNull;
}

/** Whether a `not` names the known tags and no others. */
function excludes({ anyOf = [] }: JsonSchema, tag: string, known: readonly TaggedBranch[]): boolean {
  const named = anyOf.map((branch) => requiredConstants(branch, {}).get(tag)?.value);
  return named.length === known.length && known.every(({ value }) => named.includes(value));
}

interface RequiredConstant {
  readonly value: string;
  readonly isCarried: boolean;
}

/** The members that must be a certain string, in a branch and in what it includes. */
function requiredConstants(branch: JsonSchema, definitions: Definitions): ReadonlyMap<string, RequiredConstant> {
  const found = new Map<string, RequiredConstant>();
  const required = new Set<string>();
  const seen = new Set<string>();
  const look = (schema: JsonSchema, isCarried: boolean): void => {
    if (!isPlainObject(schema)) return;
    const { $ref, properties = {}, allOf = [] } = schema;
    for (const [name, member] of Object.entries(isPlainObject(properties) ? properties : {})) {
      const value = constantOf(member);
      if (value !== undefined && !found.has(name)) found.set(name, { value, isCarried });
    }
    for (const name of Array.isArray(schema.required) ? schema.required : []) required.add(String(name));
    for (const part of Array.isArray(allOf) ? allOf : []) look(part, isCarried);
    const target = /^#\/\$defs\/(\w+)$/.exec(typeof $ref === "string" ? $ref : "")?.[1];
    if (target === undefined || seen.has(target) || !Object.hasOwn(definitions, target)) return;
    seen.add(target);
    look(definitions[target]!, true);
  };
  look(branch, false);
  return new Map([...found].filter(([name]) => required.has(name)));
}

/** The string that a schema asks for: a `const`, or the only value of an `enum`. */
function constantOf(schema: unknown): string | undefined {
  if (!isPlainObject(schema)) return undefined;
  const { const: value, enum: values } = schema;
  if (typeof value === "string") return value;
  return Array.isArray(values) && values.length === 1 && typeof values[0] === "string" ? values[0] : undefined;
}
