import type { JSONSchema } from "json-schema-to-typescript";
import type { Place } from "../../model/place.ts";
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
  /** Whether what a schema refers to holds the definition that is being prepared. */
  readonly leadsBack: (schema: JsonSchema) => boolean;
  /** Where the schema stands, for errors. */
  readonly place: Place;
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
 * @throws SchemaError with the place, for a keyword that has no counterpart in the types.
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
    if (keyword in schema) throw how.place.unsupported(`the keyword ${keyword} has no counterpart in types`);
  }
  if (!Object.keys(schema).some((key) => structural.has(key))) return { tsType: "unknown" };
  if (schema.$ref !== undefined) return { tsType: referencedName(schema.$ref) };
  if ("const" in schema) return { tsType: JSON.stringify(schema.const) };
  if (schema.enum !== undefined) return unite(schema.enum.map((value) => ({ tsType: JSON.stringify(value) })));

  const union = unionOf(schema);
  if (union !== undefined) return intersection([unionShape(schema, union, how), ...included(schema, how)]);
  if (schema.properties === undefined && schema.allOf !== undefined) return intersection(included(schema, how));
  const type = schema.type ?? (schema.properties === undefined ? undefined : "object");
  if (type === undefined) throw how.place.unsupported("a schema without a type has no counterpart in types");
  const alternatives = [type].flat().map((one) => typeShape(one, schema, how));
  return intersection([unite(alternatives), ...included(schema, how)]);
}

/** The definitions whose members apply to the same value. */
function included(schema: JsonSchema, how: Preparation): readonly Prepared[] {
  return (schema.allOf ?? []).map((part, index) => shapeOf(part, inside(how, "allOf", index)));
}

function typeShape(type: string, schema: JsonSchema, how: Preparation): Prepared {
  switch (type) {
    case "object":
      return objectShape(schema, how);
    case "array":
      return { type: "array", items: shapeOf(schema.items ?? {}, inside(how, "items")) };
    case "integer":
    case "number":
      return { tsType: "number" };
    case "string":
    case "boolean":
    case "null":
      return { tsType: type };
    default:
      throw how.place.unsupported(`the type ${type} has no counterpart in types`);
  }
}

function unionShape(schema: JsonSchema, union: Union, how: Preparation): Prepared {
  if (union.kind === "enum") {
    const values = union.values.map((value) => ({ tsType: JSON.stringify(value.const) }));
    return unite(union.open === undefined ? values : [...values, { tsType: `(${union.open} & {})` }]);
  }
  const all = schema.anyOf ?? schema.oneOf ?? [];
  const within = (branch: JsonSchema): Preparation =>
    inside(how, schema.anyOf === undefined ? "oneOf" : "anyOf", all.indexOf(branch));
  const branches =
    union.kind === "tagged"
      ? union.branches.map((branch) => taggedBranch(branch, union.tag, schema, within(branch.schema)))
      : union.branches.map((branch) =>
          schema.properties === undefined
            ? shapeOf(branch, within(branch))
            : branchWith(schema, branch, within(branch)),
        );
  if (union.kind === "tagged" && how.isOpen(union)) {
    branches.push(unknownBranch(union, schema, how));
  }
  return unite(branches);
}

/**
 * An unknown variant, with what may stand beside the union (of one that is unknown because it cannot be read, what has to stand
 * there may be missing); where the branch without a tag reads it by the letter of the schema, with what that one has.
 */
function unknownBranch(union: TaggedUnion, beside: JsonSchema, how: Preparation): Prepared {
  const unknown = { tsType: `UnknownVariant<${JSON.stringify(union.tag)}>` };
  const untagged = union.isOpen ? undefined : union.branches.find(({ isFallback }) => isFallback);
  const required = [...(beside.required ?? []), ...(untagged?.schema.required ?? [])];
  const { [union.tag]: _, ...all } = { ...beside.properties, ...untagged?.schema.properties };
  const isSure = (name: string): boolean => untagged !== undefined || !required.includes(name);
  const members = Object.fromEntries(Object.entries(all).filter(([name]) => isSure(name)));
  const own = Object.keys(members).length === 0 ? [] : [objectShape({ properties: members, required }, how)];
  return intersection([unknown, ...own, ...(untagged === undefined ? [] : included(untagged.schema, how))]);
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
  if (unionOf(branch) !== undefined) throw how.place.unsupported("a union inside a branch has no counterpart in types");
  const object: JsonSchema = {
    properties: { ...members.properties, ...branch.properties },
    required: [...(members.required ?? []), ...(branch.required ?? [])],
  };
  const other = branch.$ref === undefined ? branch : { allOf: [branch] };
  return intersection([objectShape(object, how), ...included(other, how)]);
}

function objectShape(schema: JsonSchema, how: Preparation): Prepared {
  const members = Object.entries(schema.properties ?? {});
  if (members.length === 0) return mapShape(schema.additionalProperties ?? true, how);
  return {
    type: "object",
    properties: Object.fromEntries(
      members.map(([name, member]) => [
        writable(name),
        withComment(shapeOf(member, inside(how, "properties", name)), [commentOf(member)]),
      ]),
    ),
    required: [...new Set(schema.required ?? [])].map(writable),
    additionalProperties: schema.additionalProperties === true,
  };
}

/** The type generator asks the members themselves for this one. */
const unwritable = "hasOwnProperty";
const standIn = `$${unwritable}$`;

function writable(name: string): string {
  return name === unwritable ? standIn : name;
}

/** What the type generator wrote, with the members that it cannot write. */
export function withMembers(code: string): string {
  return code.replaceAll(standIn, unwritable);
}

/** An object without named members: any keys. */
function mapShape(values: boolean | JsonSchema, how: Preparation): Prepared {
  if (values === false) return { tsType: "Record<string, never>" };
  const shape = values === true ? { tsType: "unknown" } : shapeOf(values, inside(how, "additionalProperties"));
  // Behind an index signature a type may stand for a map of itself, as an argument of Record it may not.
  const isPlain = shape.tsType !== undefined && !(typeof values === "object" && how.leadsBack(values));
  return isPlain ? { tsType: `Record<string, ${shape.tsType}>` } : { type: "object", additionalProperties: shape };
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

function inside(how: Preparation, ...steps: readonly (string | number)[]): Preparation {
  return { ...how, place: how.place.at(...steps) };
}
