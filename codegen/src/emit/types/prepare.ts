import type { JSONSchema } from "json-schema-to-typescript";
import type { JsonSchema } from "../../model/schema-document.ts";
import { commentOf, valueList } from "./comment.ts";
import { referencedName } from "./references.ts";
import { type TaggedBranch, type TaggedUnion, type Union, unionOf } from "./union.ts";

/** What the type generator is fed: its own dialect, in which `tsType` is TypeScript as it stands. */
export type Prepared = JSONSchema;

/** What differs between the types one sends and the types one receives. */
export interface Preparation {
  /** Whether a tagged union gets a member for unknown variants. */
  readonly isOpen: (union: TaggedUnion) => boolean;
}

/**
 * Rewrites a definition so that the type generator's output narrows, and rejects what it should.
 *
 * - References become names, so every definition is rendered alone and nothing gets a made-up name.
 * - Objects are closed, except free maps.
 * - Branches that stand for unknown variants go, or become `UnknownVariant` for received types.
 * - Members beside a union move into its branches.
 * - Titles go: the generator would export a type per title.
 * - Comments list the values of enums: editors show none on the literals themselves.
 *
 * @throws Error for a keyword that has no counterpart in the types.
 */
export function prepareDefinition(schema: JsonSchema, how: Preparation): Prepared {
  const union = unionOf(schema);
  const values = union?.kind === "enum" ? valueList(union.values) : undefined;
  return withComment(shapeOf(schema, how), [commentOf(schema), values]);
}

/** Keywords that say something about the shape of a value and that the types can express. */
const structural = new Set(
  "$ref type const enum properties required additionalProperties items allOf anyOf oneOf".split(" "),
);

/** Keywords that say something about the shape of a value and that the types cannot express. */
const inexpressible =
  "not if patternProperties prefixItems propertyNames dependentSchemas dependentRequired $dynamicRef".split(" ");

function shapeOf(schema: JsonSchema, how: Preparation): Prepared {
  for (const keyword of inexpressible) {
    if (keyword in schema) throw new Error(`the keyword ${keyword} has no counterpart`);
  }
  if (!Object.keys(schema).some((key) => structural.has(key))) return { tsType: "unknown" };
  if (schema.$ref !== undefined) return { tsType: referencedName(schema.$ref) };
  if ("const" in schema) return { tsType: JSON.stringify(schema.const) };
  if (schema.enum !== undefined) return { tsType: schema.enum.map((value) => JSON.stringify(value)).join(" | ") };

  const union = unionOf(schema);
  if (union !== undefined) return intersection([unionShape(schema, union, how), ...included(schema, how)]);
  if (schema.type === undefined || (schema.properties === undefined && schema.allOf !== undefined)) {
    if (schema.allOf === undefined) throw new Error("a schema without a type has no counterpart");
    return intersection(included(schema, how));
  }
  const alternatives = [schema.type].flat().map((type) => typeShape(type, schema, how));
  return intersection([unite(alternatives), ...included(schema, how)]);
}

/** The definitions whose members apply to the same value. */
function included(schema: JsonSchema, how: Preparation): readonly Prepared[] {
  return (schema.allOf ?? []).map((part) => shapeOf(part, how));
}

function typeShape(type: string, schema: JsonSchema, how: Preparation): Prepared {
  switch (type) {
    case "object":
      return objectShape(schema, how);
    case "array":
      return { type: "array", items: shapeOf(schema.items ?? {}, how) };
    case "integer":
    case "number":
      return { tsType: "number" };
    case "string":
    case "boolean":
    case "null":
      return { tsType: type };
    default:
      throw new Error(`the type ${type} has no counterpart`);
  }
}

function unionShape(schema: JsonSchema, union: Union, how: Preparation): Prepared {
  if (union.kind === "enum") {
    const values = union.values.map((value) => ({ tsType: JSON.stringify(value.const) }));
    return unite(union.open === undefined ? values : [...values, { tsType: `(${union.open} & {})` }]);
  }
  const branches =
    union.kind === "tagged"
      ? union.branches.map((branch) => taggedBranch(branch, union.tag, schema, how))
      : union.branches.map((branch) =>
          schema.properties === undefined ? shapeOf(branch, how) : branchWith(schema, branch, how),
        );
  if (union.kind === "tagged" && how.isOpen(union)) {
    branches.push(unknownBranch(union, schema, how));
  }
  return unite(branches);
}

/** An unknown variant; where the branch without a tag reads it by the letter of the schema, with what that one has. */
function unknownBranch(union: TaggedUnion, beside: JsonSchema, how: Preparation): Prepared {
  const unknown = { tsType: `UnknownVariant<${JSON.stringify(union.tag)}>` };
  const untagged = union.isOpen ? undefined : union.branches.find(({ isFallback }) => isFallback);
  if (untagged === undefined) return unknown;
  const { [union.tag]: _, ...members } = { ...beside.properties, ...untagged.schema.properties };
  const required = [...(beside.required ?? []), ...(untagged.schema.required ?? [])];
  const own = Object.keys(members).length === 0 ? [] : [objectShape({ properties: members, required }, how)];
  return intersection([unknown, ...own, ...included(untagged.schema, how)]);
}

/** A branch with its tag first, then the members beside the union, then its own. */
function taggedBranch(branch: TaggedBranch, tag: string, beside: JsonSchema, how: Preparation): Prepared {
  const { [tag]: _, ...own } = branch.schema.properties ?? {};
  const { [tag]: __, ...shared } = beside.properties ?? {};
  const { description } = branch.schema;
  const members: JsonSchema = {
    properties: { [tag]: description === undefined ? branch.tag : { ...branch.tag, description }, ...shared },
    required: [...(branch.isFallback ? [] : [tag]), ...(beside.required ?? [])],
  };
  return branchWith(members, { ...branch.schema, properties: own }, how);
}

/** A branch with further members in front of its own. */
function branchWith(members: JsonSchema, branch: JsonSchema, how: Preparation): Prepared {
  if (unionOf(branch) !== undefined) throw new Error("a union inside a branch has no counterpart");
  const object: JsonSchema = {
    properties: { ...members.properties, ...branch.properties },
    required: [...(members.required ?? []), ...(branch.required ?? [])],
  };
  return intersection([objectShape(object, how), ...included(branch, how)]);
}

function objectShape(schema: JsonSchema, how: Preparation): Prepared {
  const members = Object.entries(schema.properties ?? {});
  if (members.length === 0) return mapShape(schema.additionalProperties ?? true, how);
  return {
    type: "object",
    properties: Object.fromEntries(
      members.map(([name, member]) => [name, withComment(shapeOf(member, how), [commentOf(member)])]),
    ),
    required: [...new Set(schema.required ?? [])],
    additionalProperties: schema.additionalProperties === true,
  };
}

/** An object without named members: any keys. */
function mapShape(values: boolean | JsonSchema, how: Preparation): Prepared {
  if (values === false) return { tsType: "Record<string, never>" };
  const { tsType } = values === true ? { tsType: "unknown" } : shapeOf(values, how);
  if (tsType === undefined) throw new Error("a map of anything but references and primitives has no counterpart");
  return { tsType: `Record<string, ${tsType}>` };
}

function withComment(shape: Prepared, parts: readonly (string | undefined)[]): Prepared {
  const comment = parts.filter((part) => part !== undefined).join("\n\n");
  return comment === "" ? shape : { ...shape, description: comment };
}

function unite(shapes: readonly Prepared[]): Prepared {
  return shapes.length === 1 ? shapes[0]! : { anyOf: [...shapes] };
}

function intersection(shapes: readonly Prepared[]): Prepared {
  return shapes.length === 1 ? shapes[0]! : { allOf: [...shapes] };
}
