import { isObject } from "../is-object.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Words of languages that servers write in place of the types of JSON Schema. */
const types: Readonly<Record<string, string>> = {
  int: "integer",
  long: "integer",
  float: "number",
  double: "number",
  decimal: "number",
  str: "string",
  text: "string",
  bool: "boolean",
  list: "array",
  tuple: "array",
  dict: "object",
  map: "object",
  none: "null",
};
const knownTypes = new Set(["string", "number", "integer", "boolean", "array", "object", "null"]);
/** Members whose value is a schema, a list of schemas, or schemas by name. */
const single = new Set(["items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"]);
const listed = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const named = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

/** A provider refuses a whole request for one schema that is nested deeper, or larger. */
const maxLevels = 40;
const maxLength = 50_000;

/**
 * Rewrites the schema of a tool's arguments into what the providers of models take: an object with `properties`, without
 * alternatives at its top, and with the types of JSON Schema. A provider refuses every request with a tool that is anything
 * else, whatever the other tools are.
 *
 * @throws {Error} why no model can be given the schema.
 */
export function adaptSchema(schema: Schema): Schema {
  const length = JSON.stringify(schema).length;
  if (length > maxLength) throw new Error(`its inputSchema has ${length} characters, which is too much for a model`);
  const { $schema: _schema, $id: _id, $anchor: _anchor, ...top } = fold(adapt(schema, maxLevels), schema, 0);
  const type = top["type"] ?? "object";
  if (type !== "object" && !(Array.isArray(type) && type.includes("object")))
    throw new Error(`its inputSchema is one of ${JSON.stringify(type)}, and arguments are an object`);
  const properties = isObject(top["properties"]) ? top["properties"] : {};
  const wrong = Object.keys(properties).find((name) => !/^[\w.-]{1,64}$/u.test(name));
  if (wrong !== undefined) throw new Error(`models cannot have the argument ${JSON.stringify(wrong.slice(0, 80))}`);
  return { ...top, type: "object", properties };
}

function adapt(schema: Schema, levels: number): Schema {
  if (levels === 0) throw new Error("its inputSchema is nested too deep for a model");
  const adapted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(schema)) {
    const changed = adaptMember(name, value, levels - 1);
    if (changed !== undefined) adapted[name] = changed;
  }
  const { type, properties, required } = adapted;
  if (type === "array" && adapted["items"] === undefined && adapted["prefixItems"] === undefined) adapted["items"] = {};
  if (Array.isArray(required))
    adapted["required"] = required.filter((each) => isObject(properties) && Object.hasOwn(properties, each));
  return adapted;
}

/** A member as providers take it; `undefined` to leave it out. */
function adaptMember(name: string, value: unknown, levels: number): unknown {
  const below = (each: unknown): unknown => (isObject(each) ? adapt(each, levels) : each);
  if (name === "type") return adaptType(value);
  if (name === "required") return Array.isArray(value) ? value.filter((each) => typeof each === "string") : undefined;
  if (name === "enum") return Array.isArray(value) && value.length > 0 ? value : undefined;
  // Boolean schemas are JSON Schema, which not every provider knows.
  if (single.has(name))
    return typeof value === "boolean" && name !== "additionalProperties" ? {} : arrayOrBelow(value, below);
  if (listed.has(name))
    return Array.isArray(value) && value.length > 0
      ? value.map((each) => (isObject(each) ? below(each) : {}))
      : undefined;
  if (!named.has(name)) return value;
  if (!isObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, isObject(each) ? below(each) : {}]));
}

/** `items` was a list of schemas once. */
function arrayOrBelow(value: unknown, below: (each: unknown) => unknown): unknown {
  if (Array.isArray(value)) return { anyOf: value.filter(isObject).map(below) };
  return isObject(value) || typeof value === "boolean" ? below(value) : undefined;
}

function adaptType(type: unknown): unknown {
  if (Array.isArray(type)) {
    const adapted = [...new Set(type.map(adaptType).filter((each) => each !== undefined))];
    return adapted.length === 0 ? undefined : adapted;
  }
  if (typeof type !== "string") return undefined;
  const name = type.toLowerCase();
  return knownTypes.has(name) ? name : types[name];
}

/** Takes references and alternatives from the top: what any of them allows is allowed. */
function fold(schema: Schema, root: Schema, hops: number): Schema {
  const {
    $ref,
    oneOf,
    anyOf,
    allOf,
    not: _not,
    if: _if,
    then: _then,
    else: _else,
    dependentSchemas: _schemas,
    ...rest
  } = schema;
  let folded: Schema = rest;
  if (typeof $ref === "string") {
    const target = $ref.startsWith("#/") && hops < maxLevels ? at(root, $ref.slice(2).split("/")) : undefined;
    if (!isObject(target)) throw new Error(`its inputSchema refers to ${$ref}, which is not in it`);
    folded = join(folded, fold(adapt(target, maxLevels), root, hops + 1), "all");
  }
  for (const part of isObjects(allOf)) folded = join(folded, fold(part, root, hops + 1), "all");
  for (const parts of [oneOf, anyOf]) {
    const [first, ...others] = isObjects(parts).map((part) => fold(part, root, hops + 1));
    if (first !== undefined)
      folded = join(
        folded,
        others.reduce((one, other) => join(one, other, "any"), first),
        "all",
      );
  }
  return folded;
}

function isObjects(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function at(root: Schema, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((value, step) => {
    const name = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, root);
}

/** Joins two schemas of objects: both hold (`all`), or one of them (`any`). */
function join(one: Schema, other: Schema, kind: "all" | "any"): Schema {
  const properties: Record<string, unknown> = { ...membersOf(one) };
  for (const [name, value] of Object.entries(membersOf(other))) {
    const known = properties[name];
    const isSame = known === undefined || JSON.stringify(known) === JSON.stringify(value);
    properties[name] = isSame ? value : { anyOf: [known, value] };
  }
  const [first, second] = [requiredOf(one), requiredOf(other)];
  const required = kind === "all" ? [...new Set([...first, ...second])] : first.filter((name) => second.includes(name));
  return { ...other, ...one, properties, required };
}

function membersOf({ properties }: Schema): Schema {
  return isObject(properties) ? properties : {};
}

function requiredOf({ required }: Schema): readonly unknown[] {
  return Array.isArray(required) ? required : [];
}
