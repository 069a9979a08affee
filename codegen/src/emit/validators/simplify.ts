/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of that name */
import { annotations } from "../../model/keywords.ts";
import type { JsonSchema } from "../../model/schema-document.ts";
import { type TaggedShape, unionShape } from "../../model/union-shape.ts";

/** A schema as the validators are compiled from: without annotations, with `if`. */
export interface ValidatorSchema extends Omit<
  JsonSchema,
  "properties" | "additionalProperties" | "unevaluatedProperties" | "items" | "allOf" | "anyOf" | "oneOf" | "not"
> {
  readonly properties?: Readonly<Record<string, ValidatorSchema>>;
  readonly additionalProperties?: boolean | ValidatorSchema;
  readonly unevaluatedProperties?: boolean | ValidatorSchema;
  readonly items?: ValidatorSchema;
  readonly allOf?: readonly ValidatorSchema[];
  readonly anyOf?: readonly ValidatorSchema[];
  readonly oneOf?: readonly ValidatorSchema[];
  readonly not?: ValidatorSchema;
  readonly if?: ValidatorSchema;
  readonly then?: ValidatorSchema;
  readonly else?: ValidatorSchema;
}

/**
 * Rewrites the definitions of a protocol schema for a validator that answers quickly and says what is wrong.
 *
 * A union tried branch by branch costs time for each branch and reports the failure of each. So a tagged
 * union becomes a chain of `if`/`then`/`else` on the tag, constants become an `enum`, and "this or null" one
 * `if`. The verdict stays the same but for one repair: where a union has a branch without a tag, a value
 * whose tag has a branch is held to that branch (`{ "type": "http", "command": … }` is not a stdio server).
 */
export function simplify(definitions: Readonly<Record<string, JsonSchema>>): Record<string, ValidatorSchema> {
  return Object.fromEntries(
    Object.entries(definitions)
      .filter(([, definition]) => definition["x-docs-ignore"] !== true)
      .map(([name, definition]) => [name, simplified(definition)]),
  );
}

/**
 * Keywords without effect on the verdict, or rewritten below. Any other stays as it is, so that a keyword
 * this file does not know meets ajv's strict mode.
 */
const rewritten: ReadonlySet<string> = new Set([
  ...annotations,
  "default",
  "discriminator",
  "contentEncoding",
  "x-docs-ignore",
  "x-method",
  "x-side",
  "x-deserialize-default-on-error",
  "x-deserialize-default-on-null",
  "x-deserialize-skip-invalid-items",
  "additionalProperties",
  "unevaluatedProperties",
  "properties",
  "items",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
]);

function simplified(schema: JsonSchema): ValidatorSchema {
  // `true` and `false` are schemas, too; where somebody wrote one, it is to be kept.
  if (typeof (schema as unknown) !== "object") return schema;
  const plain: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) if (!rewritten.has(keyword)) plain[keyword] = value;
  const { properties, items, allOf, not, additionalProperties, unevaluatedProperties } = schema;
  const result: ValidatorSchema = {
    ...plain,
    ...(properties && { properties: mapValues(properties, simplified) }),
    ...(items !== undefined && { items: simplified(items) }),
    ...(allOf && { allOf: allOf.map(simplified) }),
    ...(not !== undefined && { not: simplified(not) }),
    ...closing("additionalProperties", additionalProperties),
    ...closing("unevaluatedProperties", unevaluatedProperties),
  };
  const merged = { ...result, ...union(schema) };
  // What the union became must not take the place of what stands beside it.
  const hidesNothing = Object.entries(result).every(([keyword, value]) => Reflect.get(merged, keyword) === value);
  return hidesNothing ? merged : { ...result, allOf: [...(result.allOf ?? []), union(schema)] };
}

/** What is said of members without a name of their own, unless it is that anything will do. */
function closing(keyword: "additionalProperties" | "unevaluatedProperties", others: unknown): ValidatorSchema {
  return others === undefined || others === true ? {} : { [keyword]: simplified(others as JsonSchema) };
}

function union(schema: JsonSchema): ValidatorSchema {
  if (schema.anyOf && schema.oneOf) {
    return { anyOf: schema.anyOf.map(simplified), oneOf: schema.oneOf.map(simplified) };
  }
  const shape = unionShape(schema);
  if (shape === undefined) return {};
  switch (shape.kind) {
    case "nullable":
      return { if: { type: "null" }, else: simplified(shape.schema) };
    case "constants":
      return constants(shape.type, shape.values, shape.open);
    case "tagged":
      return tagChain(shape);
    default: {
      const branches = shape.branches.map(simplified);
      return schema.anyOf ? { anyOf: branches } : { oneOf: branches };
    }
  }
}

/** A list of values, or any value like them; it matters what they are where not any text will do. */
function constants(type: string, values: readonly unknown[], others: JsonSchema | undefined): ValidatorSchema {
  const listed = { type, enum: values };
  if (others === undefined) return listed;
  const open = simplified(others);
  return type === "string" && Object.keys(open).length > 1 ? { anyOf: [listed, open] } : open;
}

/** `if` the tag is a, `then` branch a, `else if` … `else` the open branch, the untagged one, or a failure at the tag. */
function tagChain({ tag, branches, other, untagged }: TaggedShape): ValidatorSchema {
  const tagIs = (schema: ValidatorSchema): ValidatorSchema => ({
    type: "object",
    properties: { [tag]: schema },
    required: [tag],
  });
  const open = other && simplified({ ...other, not: undefined });
  const last = untagged && simplified(untagged);
  const end: ValidatorSchema =
    open && last
      ? { if: tagIs({ type: "string" }), then: open, else: last }
      : (open ?? last ?? tagIs({ type: "string", enum: branches.map(({ value }) => value) }));
  return branches.reduceRight<ValidatorSchema>(
    (next, { value, schema }) => ({ if: tagIs({ const: value }), then: simplified(schema), else: next }),
    end,
  );
}

function mapValues<T, U>(object: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
