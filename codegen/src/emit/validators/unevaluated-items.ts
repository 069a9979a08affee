/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of that name */
import type { JsonSchema } from "../../model/schema-document.ts";
import { mapSubschemas } from "../../model/subschemas.ts";

type Definitions = Readonly<Record<string, JsonSchema>>;

/** Items that a part of a schema looks at: the first ones, all, or those that `contains` finds. */
interface Looked {
  /** The schemas that the list has to fit for this part to count; empty where it always does. */
  readonly when: readonly JsonSchema[];
  readonly first?: number;
  readonly all?: true;
  readonly found?: JsonSchema;
}

/** So many conditions are told apart, which takes a rule for each combination. Rarer ones are left to ajv. */
const maxConditions = 6;

const anything: JsonSchema = {};

/**
 * Says `unevaluatedItems` in other keywords: ajv only counts the first items that parts of a schema look at, and so
 * misses those that `contains` finds, and mixes up branches.
 */
export function spellOutUnevaluatedItems(definitions: Definitions): Record<string, JsonSchema> {
  const rewrite = (schema: JsonSchema): JsonSchema => {
    if (typeof (schema as unknown) !== "object") return schema;
    const { unevaluatedItems, ...rest } = mapSubschemas(schema, rewrite);
    if (unevaluatedItems === undefined) return rest;
    const { unevaluatedItems: _, ...others } = schema;
    const looked = [...lookedAt(others, definitions, [], new Set())];
    const conditions = [...new Set(looked.flatMap(({ when }) => (when.length === 0 ? [] : [keyOf(when)])))];
    if (conditions.length > maxConditions) return { ...rest, unevaluatedItems };
    const always = looked.filter(({ when }) => when.length === 0);
    const groups = conditions.map((key) => looked.filter(({ when }) => when.length > 0 && keyOf(when) === key));
    const rule = ruleOf(always, groups, unevaluatedItems, rewrite);
    return { ...rest, allOf: [...(rest.allOf ?? []), rule] };
  };
  return Object.fromEntries(Object.entries(definitions).map(([name, schema]) => [name, rewrite(schema)]));
}

function keyOf(when: readonly JsonSchema[]): string {
  return JSON.stringify(when);
}

/** `if` the condition of a group holds, the rule with it, `else` the one without. */
function ruleOf(
  active: readonly Looked[],
  [group, ...more]: readonly (readonly Looked[])[],
  rest: JsonSchema,
  rewrite: (schema: JsonSchema) => JsonSchema,
): JsonSchema {
  if (active.some(({ all }) => all)) return anything;
  if (group === undefined) {
    const first = Math.max(0, ...active.map((looked) => looked.first ?? 0));
    const found = active.flatMap((looked) => (looked.found === undefined ? [] : [rewrite(looked.found)]));
    return {
      ...(first > 0 && { prefixItems: Array.from({ length: first }, () => anything) }),
      items: found.length === 0 ? rest : { anyOf: [...found, rest] },
    };
  }
  const conditions = group[0]!.when.map(rewrite);
  return {
    if: conditions.length === 1 ? conditions[0]! : { allOf: conditions },
    then: ruleOf([...active, ...group], more, rest, rewrite),
    else: ruleOf(active, more, rest, rewrite),
  };
}

/** What a schema and the parts of it that are about the same list look at. */
function* lookedAt(
  schema: JsonSchema,
  definitions: Definitions,
  when: readonly JsonSchema[],
  seen: ReadonlySet<string>,
): Iterable<Looked> {
  if (typeof (schema as unknown) !== "object") return;
  const { items, prefixItems, unevaluatedItems, contains, allOf = [], anyOf = [], oneOf = [], $ref } = schema;
  if (items !== undefined || unevaluatedItems !== undefined) yield { when, all: true };
  if (prefixItems !== undefined) yield { when, first: prefixItems.length };
  if (contains !== undefined) yield { when, found: contains };
  for (const part of allOf) yield* lookedAt(part, definitions, when, seen);
  for (const branch of [...anyOf, ...oneOf]) yield* lookedAt(branch, definitions, [...when, branch], seen);
  if (schema.if !== undefined) {
    const holds = [...when, schema.if];
    yield* lookedAt(schema.if, definitions, holds, seen);
    if (schema.then !== undefined) yield* lookedAt(schema.then, definitions, holds, seen);
    if (schema.else !== undefined) yield* lookedAt(schema.else, definitions, [...when, { not: schema.if }], seen);
  }
  const name = $ref?.replace("#/$defs/", "");
  if (name === undefined || seen.has(name) || !Object.hasOwn(definitions, name)) return;
  yield* lookedAt(definitions[name]!, definitions, when, new Set([...seen, name]));
}
