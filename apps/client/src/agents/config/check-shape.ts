import type { Node } from "jsonc-parser";

/** The part of JSON schema that the schema of the configuration uses. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: "object" | "array" | "string" | "boolean" | "number" | "null";
  readonly const?: string | number | boolean;
  readonly enum?: readonly (string | number)[];
  readonly minLength?: number;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** What is wrong with a value. */
export interface ShapeError {
  /** The place in the text. */
  readonly offset: number;
  /** The member, such as `agents.codex.args[0]`; empty for the whole. */
  readonly member: string;
  /** What is wrong: a predicate, such as `must be a string`. */
  readonly reason: string;
}

/** Checks a parsed text by a schema. Returns the first error, or `undefined`. */
export function checkShape(node: Node, root: Schema): ShapeError | undefined {
  return check(node, root, "", root);
}

function check(node: Node, schema: Schema, member: string, root: Schema): ShapeError | undefined {
  const fail = (reason: string): ShapeError => ({ offset: node.offset, member, reason });
  if (schema.$ref !== undefined) return check(node, definition(schema.$ref, root), member, root);
  if (schema.anyOf !== undefined) {
    const errors = schema.anyOf.map((one) => check(node, one, member, root));
    const meant = schema.anyOf.findIndex((one) => isMeant(node, one, root));
    if (errors.every((error) => error !== undefined))
      return errors[meant] ?? fail(`must be ${schema.anyOf.map((one) => describe(one, root)).join(" or ")}`);
  }
  if (schema.type !== undefined && node.type !== schema.type) return fail(`must be ${describe(schema, root)}`);
  const value: unknown = node.value;
  if (schema.const !== undefined && value !== schema.const) return fail(`must be ${describe(schema, root)}`);
  if (schema.enum !== undefined && !schema.enum.some((one) => one === value))
    return fail(`must be ${describe(schema, root)}`);
  if (typeof value === "string") {
    if (value.length < (schema.minLength ?? 0)) return fail("must not be empty");
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value))
      return fail("must consist of letters, digits, dots, hyphens and underscores");
  }
  if (node.type === "array" && schema.items !== undefined) {
    for (const [index, item] of (node.children ?? []).entries()) {
      const error = check(item, schema.items, `${member}[${index}]`, root);
      if (error !== undefined) return error;
    }
  }
  return node.type === "object" ? checkMembers(node, schema, member, root) : undefined;
}

function checkMembers(node: Node, schema: Schema, member: string, root: Schema): ShapeError | undefined {
  const names = new Set<string>();
  for (const { children: [key, value] = [] } of node.children ?? []) {
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    const path = member === "" ? name : `${member}.${name}`;
    if (names.has(name)) return { offset: key.offset, member: path, reason: "appears twice" };
    names.add(name);
    const ofName = schema.propertyNames && check(key, schema.propertyNames, path, root);
    if (ofName !== undefined) return { ...ofName, reason: `has a name that ${ofName.reason}` };
    const known = schema.properties;
    const shape = known !== undefined && Object.hasOwn(known, name) ? known[name] : schema.additionalProperties;
    if (shape === false) {
      const all = Object.keys(known ?? {}).filter((one) => !one.startsWith("$"));
      return { offset: key.offset, member: path, reason: `is unknown. Known are ${all.join(", ")}` };
    }
    const error = typeof shape === "object" ? check(value, shape, path, root) : undefined;
    if (error !== undefined) return error;
  }
  const missing = schema.required?.find((name) => !names.has(name));
  if (missing !== undefined) return { offset: node.offset, member, reason: `needs ${missing}` };
  return checkAlternatives(node, schema, member, names);
}

/** Of the members in `oneOf`, there must be one. */
function checkAlternatives(
  node: Node,
  schema: Schema,
  member: string,
  names: ReadonlySet<string>,
): ShapeError | undefined {
  if (schema.oneOf === undefined) return undefined;
  const alternatives = schema.oneOf.map(({ required = [] }) => required);
  const found = alternatives.filter((required) => required.every((name) => names.has(name)));
  if (found.length === 1) return undefined;
  const words = alternatives.map((required) => required.join(" and ")).join(" or ");
  const reason = found.length === 0 ? `needs ${words}` : `can have only one of ${words}`;
  return { offset: node.offset, member, reason };
}

/** Whether a value is meant to have this shape: a list, or an object with the members that it needs. */
function isMeant(node: Node, schema: Schema, root: Schema): boolean {
  const { type, required = [] } = schema.$ref === undefined ? schema : definition(schema.$ref, root);
  if (node.type === "array") return type === "array";
  const names =
    node.type === "object" ? (node.children ?? []).map(({ children }) => children?.[0]?.value as unknown) : [];
  return required.length > 0 && required.every((name) => names.includes(name));
}

function definition(reference: string, root: Schema): Schema {
  const found = root.definitions?.[reference.replace("#/definitions/", "")];
  if (found === undefined) throw new Error(`The schema has no ${reference}`);
  return found;
}

/** What a value has to be. */
function describe(schema: Schema, root: Schema): string {
  if (schema.$ref !== undefined) return describe(definition(schema.$ref, root), root);
  if (schema.required?.length === 1 && schema.type === "object") return `an object with ${schema.required[0]}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  switch (schema.type) {
    case "object":
      return "an object";
    case "array":
      return "a list";
    case "boolean":
      return "true or false";
    case "number":
      return "a number";
    case "null":
      return "null";
    default:
      return "a string";
  }
}
