import { isPlainObject, type JsonSchema } from "../model/schema-document.ts";
import { hasType, sameJson } from "./json-values.ts";

/** The definitions that references of a schema lead to. */
export type Definitions = Readonly<Record<string, unknown>>;

/** One way in which a value can fit a schema. The value has to fit everything in it. */
export interface Alternative {
  /** References that are compared by name. */
  readonly references: ReadonlySet<string>;
  /** The JSON type; `undefined` where any will do. */
  readonly type?: string;
  /** The only value. */
  readonly constant?: { readonly value: unknown };
  /** What each member has to be; all the schemas of its list apply. */
  readonly members: ReadonlyMap<string, readonly unknown[]>;
  readonly required: ReadonlySet<string>;
  /** What members without a name have to be: `additionalProperties`. */
  readonly others: readonly unknown[];
  /** The schemas of the first items, and of those that follow. */
  readonly firstItems: readonly unknown[];
  readonly items: readonly unknown[];
  /** The branch of an open union that takes what no other branch does. */
  readonly exclusions: readonly unknown[];
  /** Every other keyword that restricts values, by name. */
  readonly limits: ReadonlyMap<string, readonly unknown[]>;
}

const anything: Alternative = {
  references: new Set(),
  members: new Map(),
  required: new Set(),
  others: [],
  firstItems: [],
  items: [],
  exclusions: [],
  limits: new Map(),
};

/** Above this many alternatives a schema is not compared: whoever asks has to expect the worst. */
const most = 2000;

/** Keywords that restrict no value. */
const silent: readonly string[] = (
  "$comment $defs $id $schema definitions deprecated description discriminator default " +
  "examples title readOnly writeOnly contentMediaType contentSchema minContains maxContains"
).split(" ");

/** The types that a keyword applies to. It says nothing about values of another type. */
const appliesTo: Readonly<Record<string, readonly string[]>> = {
  minLength: ["string"],
  maxLength: ["string"],
  pattern: ["string"],
  contentEncoding: ["string"],
  minimum: ["integer", "number"],
  maximum: ["integer", "number"],
  exclusiveMinimum: ["integer", "number"],
  exclusiveMaximum: ["integer", "number"],
  multipleOf: ["integer", "number"],
  format: ["string", "integer", "number"],
  minItems: ["array"],
  maxItems: ["array"],
  uniqueItems: ["array"],
  contains: ["array"],
  minProperties: ["object"],
  maxProperties: ["object"],
  patternProperties: ["object"],
  propertyNames: ["object"],
  dependentRequired: ["object"],
  dependentSchemas: ["object"],
};

/**
 * The alternatives of a schema, with its references followed but those in `opaque`.
 *
 * @returns `undefined` when there are too many.
 */
export function alternativesOf(
  schema: unknown,
  definitions: Definitions,
  opaque: ReadonlySet<string>,
): readonly Alternative[] | undefined {
  const found = expand(schema, { definitions, opaque, following: new Set() });
  return found?.flatMap(splitBoolean);
}

interface Expansion {
  readonly definitions: Definitions;
  readonly opaque: ReadonlySet<string>;
  /** References that lead here. */
  readonly following: ReadonlySet<string>;
}

function expand(schema: unknown, expansion: Expansion): readonly Alternative[] | undefined {
  if (schema === false) return [];
  if (!isPlainObject(schema)) return [anything];
  let found: readonly Alternative[] | undefined = typesOf(schema).map((type) => ownAlternative(schema, type));
  for (const factor of factorsOf(schema, expansion)) found = found && factor && multiply(found, factor);
  return found;
}

/** What applies beside the keywords of the schema itself: each a list of alternatives. */
function factorsOf(schema: JsonSchema, expansion: Expansion): readonly (readonly Alternative[] | undefined)[] {
  const factors: (readonly Alternative[] | undefined)[] = [];
  if (typeof schema.$ref === "string") factors.push(follow(schema.$ref, expansion));
  if (schema.const !== undefined) factors.push([constant(schema.const)]);
  if (Array.isArray(schema.enum)) factors.push(schema.enum.map(constant));
  for (const part of listOf(schema.allOf)) factors.push(expand(part, expansion));
  for (const branches of [schema.anyOf, schema.oneOf]) {
    if (!Array.isArray(branches)) continue;
    const all = branches.map((branch: unknown) => expand(branch, expansion));
    factors.push(all.every((branch) => branch !== undefined) ? all.flat() : undefined);
  }
  return factors;
}

function follow(reference: string, expansion: Expansion): readonly Alternative[] | undefined {
  const { definitions, opaque, following } = expansion;
  const target = definitions[nameOf(reference)];
  if (opaque.has(reference) || following.has(reference) || target === undefined) {
    return [{ ...anything, references: new Set([reference]) }];
  }
  return expand(target, { ...expansion, following: new Set([...following, reference]) });
}

function nameOf(reference: string): string {
  return reference.replace(/^#\/(?:\$defs|definitions)\//, "");
}

function constant(value: unknown): Alternative {
  return { ...anything, constant: { value } };
}

function typesOf({ type, properties, required }: JsonSchema): readonly (string | undefined)[] {
  if (Array.isArray(type)) return type;
  if (typeof type === "string") return [type];
  // A variant of the protocol has members and no type; nobody sends a number for it.
  return [properties !== undefined || required !== undefined ? "object" : undefined];
}

function ownAlternative(schema: JsonSchema, type: string | undefined): Alternative {
  const { properties, required, additionalProperties, unevaluatedProperties, prefixItems, items, not } = schema;
  const handled = ["$ref", "const", "enum", "allOf", "anyOf", "oneOf", "type", "properties", "required", "not"];
  handled.push("additionalProperties", "unevaluatedProperties", "prefixItems", "items");
  const limits = Object.entries(schema).filter(([keyword]) => {
    const isElsewhere = handled.includes(keyword) || silent.includes(keyword) || keyword.startsWith("x-");
    return !isElsewhere && (type === undefined || (appliesTo[keyword]?.includes(type) ?? true));
  });
  const isObject = type === undefined || type === "object";
  const isList = type === undefined || type === "array";
  return {
    ...anything,
    ...(type !== undefined && { type }),
    members: new Map(
      isObject && isPlainObject(properties) ? Object.entries(properties).map(([name, inner]) => [name, [inner]]) : [],
    ),
    required: new Set(isObject && Array.isArray(required) ? required : []),
    others: isObject ? [additionalProperties, unevaluatedProperties].filter((other) => other !== undefined) : [],
    firstItems: isList && Array.isArray(prefixItems) ? prefixItems : [],
    items: isList && items !== undefined ? [items] : [],
    exclusions: not === undefined ? [] : [not],
    limits: new Map(limits.map(([keyword, value]) => [keyword, [value]])),
  };
}

/** Every alternative of one list together with every one of the other, without those that no value can fit. */
function multiply(left: readonly Alternative[], right: readonly Alternative[]): readonly Alternative[] | undefined {
  if (left.length * right.length > most) return undefined;
  return left.flatMap((one) => right.flatMap((other) => join(one, other) ?? []));
}

function join(one: Alternative, other: Alternative): Alternative | undefined {
  const fixed = one.constant ?? other.constant;
  if (one.constant !== undefined && other.constant !== undefined && !sameJson(one.constant, other.constant)) {
    return undefined;
  }
  const type = joinTypes(one.type, other.type);
  if (type === "never" || (fixed !== undefined && type !== undefined && !hasType(fixed.value, type))) return undefined;
  return {
    references: new Set([...one.references, ...other.references]),
    ...(type !== undefined && { type }),
    ...(fixed !== undefined && { constant: fixed }),
    members: joinMaps(one.members, other.members),
    required: new Set([...one.required, ...other.required]),
    others: [...one.others, ...other.others],
    firstItems: one.firstItems.length > 0 ? one.firstItems : other.firstItems,
    items: [...one.items, ...other.items],
    exclusions: [...one.exclusions, ...other.exclusions],
    limits: joinMaps(one.limits, other.limits),
  };
}

function joinTypes(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined || one === other) return one ?? other;
  const isNumber = [one, other].every((type) => type === "integer" || type === "number");
  return isNumber ? "integer" : "never";
}

function joinMaps(
  one: ReadonlyMap<string, readonly unknown[]>,
  other: ReadonlyMap<string, readonly unknown[]>,
): ReadonlyMap<string, readonly unknown[]> {
  const joined = new Map(one);
  for (const [name, values] of other) joined.set(name, [...(joined.get(name) ?? []), ...values]);
  return joined;
}

/** `boolean` has two values, which a schema may list as well. */
function splitBoolean(alternative: Alternative): readonly Alternative[] {
  if (alternative.type !== "boolean" || alternative.constant !== undefined) return [alternative];
  return [true, false].map((value) => ({ ...alternative, constant: { value } }));
}

function listOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

/** The references of a schema that say what the value itself is: not those of its members and items. */
export function ownReferences(schema: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (part: unknown): void => {
    if (!isPlainObject(part)) return;
    if (typeof part["$ref"] === "string") found.add(part["$ref"]);
    for (const keyword of ["allOf", "anyOf", "oneOf"]) listOf(part[keyword]).forEach(visit);
  };
  visit(schema);
  return found;
}
