/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of that name */
import { annotations, protocolKeywords } from "../../model/keywords.ts";
import type { JsonSchema } from "../../model/schema-document.ts";
import { mapSubschemas, schemaKeywords, subschemas, switches } from "../../model/subschemas.ts";
import { type Definitions, type TaggedShape, unionShape } from "../../model/union-shape.ts";
import { isKept, mayTake, takesOnlyObjects } from "./verdicts.ts";

/**
 * Rewrites the definitions of a schema for a validator that answers quickly and says what is wrong.
 *
 * A union tried branch by branch costs time for each branch and reports the failure of each. So a tagged
 * union becomes a chain of `if`/`then`/`else` on the tag, constants become an `enum`, and "this or null" one
 * `if`. The verdict stays the same but for one repair: where a union has a branch without a tag, a value
 * whose tag has a branch is held to that branch (`{ "type": "http", "command": … }` is not a stdio server).
 */
export function simplify(definitions: Definitions): Record<string, JsonSchema> {
  const kept = Object.entries(definitions).filter(([, definition]) => definition["x-docs-ignore"] !== true);
  const around: Surroundings = { definitions, keepsTrue: kept.some(([, schema]) => asksWhatIsLeft(schema)) };
  return Object.fromEntries(kept.map(([name, definition]) => [name, simplified(definition, around)]));
}

interface Surroundings {
  readonly definitions: Definitions;
  /** Whether `additionalProperties: true` has an effect: it does where another part refuses what nobody described. */
  readonly keepsTrue: boolean;
}

/** Whether some part of a schema is about the members or items that no other part has described. */
function asksWhatIsLeft(schema: JsonSchema): boolean {
  const { unevaluatedProperties = true, unevaluatedItems } = schema;
  if (unevaluatedProperties !== true || unevaluatedItems !== undefined) return true;
  return [...subschemas(schema)].some((part) => asksWhatIsLeft(part.schema));
}

/** Keywords without effect on the verdict. */
const dropped: ReadonlySet<string> = new Set([...annotations, ...protocolKeywords, "discriminator", "contentEncoding"]);

function simplified(schema: JsonSchema, around: Surroundings): JsonSchema {
  // `true` and `false` are schemas, too; where somebody wrote one, it is to be kept.
  if (typeof (schema as unknown) !== "object") return schema;
  const own = ownKeywords(schema, around);
  const result = mapSubschemas(own, (part) => simplified(part, around));
  const union = simplifiedUnion(schema, around);
  const merged = { ...result, ...union };
  // The rewritten union must not replace keywords beside it.
  const hidesNothing = Object.entries(result).every(([keyword, value]) => Reflect.get(merged, keyword) === value);
  const whole = hidesNothing ? merged : { ...result, allOf: [...(result.allOf ?? []), union] };
  return around.keepsTrue ? withCondition(whole) : whole;
}

/**
 * An `if` without `then` describes members as well, where it holds. ajv has them described in any case, or in none: it
 * does better with a branch, and with what the `else` depends on as a `not`.
 */
function withCondition(schema: JsonSchema): JsonSchema {
  const { if: condition, then, else: otherwise, allOf = [], ...others } = schema;
  if (condition === undefined || Object.keys(then ?? {}).length > 0) return schema;
  const isElse = otherwise !== undefined && Object.keys(otherwise).length > 0;
  return {
    ...others,
    ...(isElse && { if: { not: condition }, then: otherwise }),
    allOf: [...allOf, { anyOf: [condition, {}] }],
  };
}

/** What counts of a schema besides its unions, with the schemas in it behind the rest. */
function ownKeywords(schema: JsonSchema, { keepsTrue }: Surroundings): JsonSchema {
  // Alone, neither says anything, unless a part of the schema asks what others looked at.
  const isCondition = schema.if !== undefined && (keepsTrue || schema.then !== undefined || schema.else !== undefined);
  const kept = Object.entries(schema).filter(([keyword, value]) => {
    if (dropped.has(keyword) || value === undefined || keyword === "anyOf" || keyword === "oneOf") return false;
    if (["if", "then", "else"].includes(keyword)) return isCondition;
    return keepsTrue || value !== true || !switches.includes(keyword);
  });
  if (schema.enum?.length === 0) return { not: {} };
  const place = (keyword: string): number => schemaKeywords.indexOf(keyword);
  return Object.fromEntries(kept.toSorted(([left], [right]) => place(left) - place(right)));
}

function simplifiedUnion({ anyOf, oneOf }: JsonSchema, around: Surroundings): JsonSchema {
  const { definitions } = around;
  const inner = (branch: JsonSchema): JsonSchema => simplified(branch, around);
  // Only where it is needed: each level of a union in a union would be simplified twice as often as the one above.
  const plain = (): JsonSchema => ({
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
  });
  if (anyOf && oneOf) return plain();
  // A discriminator does not change which values are valid.
  const shape = unionShape(anyOf ? { anyOf } : oneOf ? { oneOf } : {}, definitions);
  switch (shape?.kind) {
    case "nullable":
      if (oneOf && mayTake("null", shape.schema, definitions)) return plain();
      return { if: { type: "null" }, else: inner(shape.schema) };
    case "constants":
      return constants(shape.type, shape.values, shape.open, oneOf !== undefined, inner) ?? plain();
    case "tagged": {
      const { branches, other, untagged } = shape;
      const schemas = [...branches.map(({ schema }) => schema), other ?? [], untagged ?? []].flat();
      return schemas.every((schema) => takesOnlyObjects(schema, definitions)) ? tagChain(shape, inner) : plain();
    }
    default:
      return plain();
  }
}

/** A list of values, or any value like them; it matters what they are where not any value of the type will do. */
function constants(
  type: string,
  values: readonly unknown[],
  others: JsonSchema | undefined,
  isExclusive: boolean,
  inner: (branch: JsonSchema) => JsonSchema,
): JsonSchema | undefined {
  if (isExclusive && (others !== undefined || new Set(values).size < values.length)) return undefined;
  const listed = { type, enum: values };
  if (others === undefined) return listed;
  const open = inner(others);
  return values.every((value) => isKept(value, open)) ? open : { anyOf: [listed, open] };
}

/** `if` the tag is a, `then` branch a, `else if` … `else` the open branch, the untagged one, or a failure at the tag. */
function tagChain(
  { tag, branches, other, untagged }: TaggedShape,
  inner: (branch: JsonSchema) => JsonSchema,
): JsonSchema {
  const tagIs = (schema: JsonSchema): JsonSchema => ({
    type: "object",
    properties: { [tag]: schema },
    required: [tag],
  });
  const { not: _, ...open } = other ?? {};
  const last = untagged && inner(untagged);
  const end: JsonSchema =
    other && last
      ? { if: tagIs({ type: "string" }), then: inner(open), else: last }
      : other
        ? inner(open)
        : (last ?? tagIs({ type: "string", enum: branches.map(({ value }) => value) }));
  return branches.reduceRight<JsonSchema>(
    (next, { value, schema }) => ({ if: tagIs({ const: value }), then: inner(schema), else: next }),
    end,
  );
}
