import { isPlainObject, type JsonSchema } from "../model/schema-document.ts";

/** Keywords that {@link describe} has words for, or that say nothing about which values are taken. */
const worded: readonly string[] = [
  "$ref",
  "type",
  "const",
  "items",
  "allOf",
  "anyOf",
  "oneOf",
  "additionalProperties",
  "properties",
  "required",
  "description",
  "title",
  "default",
  "discriminator",
  "deprecated",
];

const limits: readonly string[] = ["format", "minimum", "maximum", "minLength", "minItems", "contentEncoding"];

/**
 * A schema in the words of a type: `string | null`, `list of ContentBlock`, `integer (uint32, minimum 0)`. Says all
 * that {@link hintsOf} does not: of schemas that differ for a peer, the words differ.
 */
export function describe(schema: unknown): string {
  if (!isPlainObject(schema)) return JSON.stringify(schema);
  const { $ref, type, items } = schema;
  const parts: string[] = [];
  if ($ref !== undefined) parts.push(nameOf($ref).replace("#/$defs/", ""));
  if (schema["const"] !== undefined) parts.push(JSON.stringify(schema["const"]));
  else if (type !== undefined) {
    const names = [type].flat().map((name) => (name === "array" && items !== undefined ? listOf(items) : nameOf(name)));
    parts.push(names.join(" | "));
  } else if (items !== undefined) parts.push(listOf(items));
  if (schema["properties"] !== undefined || schema["required"] !== undefined) parts.push(inlineMembers(schema));
  for (const part of schemasOf(schema["allOf"])) parts.push(describe(part));
  const branches = schemasOf(schema["anyOf"] ?? schema["oneOf"]);
  if (isExclusive(schema)) parts.push("exactly one of");
  if (branches.length > 0) parts.push(branches.map(describe).join(" | "));
  const free = schema["additionalProperties"];
  if (isPlainObject(free)) parts.push(`of ${describe(free)}`);
  else if (free !== undefined) parts.push(`additionalProperties ${JSON.stringify(free)}`);
  const limited = limits.filter((name) => schema[name] !== undefined).map((name) => `${name} ${String(schema[name])}`);
  if (limited.length > 0) parts.push(`(${limited.join(", ")})`);
  for (const [name, value] of Object.entries(schema)) {
    const isSaid = worded.includes(name) || limits.includes(name) || name.startsWith("x-");
    if (!isSaid) parts.push(`${name} ${JSON.stringify(value)}`);
  }
  return parts.join(" ") || "anything";
}

function nameOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function listOf(items: unknown): string {
  return `list of ${describe(items)}`;
}

/** The members of an object that has no name, in one order: `{ name: string, size?: integer }`. */
function inlineMembers(schema: JsonSchema): string {
  const texts = membersOf(schema).map(
    ({ name, inner, isRequired }) => `${name}${isRequired ? "" : "?"}: ${describe(inner)}`,
  );
  return texts.length === 0 ? "{}" : `{ ${texts.toSorted().join(", ")} }`;
}

/** The members that a schema describes, and those that it only requires. */
export function membersOf({
  properties,
  required,
}: JsonSchema): readonly { readonly name: string; readonly inner: JsonSchema; readonly isRequired: boolean }[] {
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const members = new Map<string, JsonSchema>(Object.entries(isPlainObject(properties) ? properties : {}));
  for (const name of names) if (!members.has(String(name))) members.set(String(name), {});
  return [...members].map(([name, inner]) => ({ name, inner, isRequired: names.includes(name) }));
}

/** Whether a value can be refused because it fits two branches: not where a tag, a constant or null tells them apart. */
export function isExclusive({ oneOf }: JsonSchema): boolean {
  const branches = schemasOf(oneOf);
  const isTold = (branch: JsonSchema): boolean =>
    branch.const !== undefined || membersOf(branch).some(({ inner }) => inner?.const !== undefined);
  return !branches.some(isTold) && branches.filter(({ type }) => type !== "null").length > 1;
}

/** The schemas in a list; upstream's documents have not been looked at before, so anything may stand there. */
export function schemasOf(list: unknown): readonly JsonSchema[] {
  return Array.isArray(list) ? list.filter(isPlainObject) : [];
}

/** Keywords of definitions that a diff reports as methods, or that take a definition out of it. */
const reported: readonly string[] = ["x-method", "x-side", "x-docs-ignore"];

/** Titles, defaults and how a value is read, in a schema and inside it: a change here breaks nobody. */
export function hintsOf(schema: JsonSchema): string {
  return [...hintsWithin(schema, "")].toSorted().join(", ");
}

function* hintsWithin(schema: unknown, path: string): Iterable<string> {
  if (Array.isArray(schema)) {
    for (const [index, item] of schema.entries()) yield* hintsWithin(item, `${path}/${index}`);
    return;
  }
  if (!isPlainObject(schema)) return;
  const at = path === "" ? "" : ` at ${path}`;
  for (const [name, value] of Object.entries(schema)) {
    const isHint = ["title", "default", "discriminator", "deprecated"].includes(name) || name.startsWith("x-");
    if (isHint && !reported.includes(name)) yield `${name}: ${JSON.stringify(value)}${at}`;
    // One branch or any is the same to whoever tells them apart by a tag.
    if (name === "oneOf") yield `oneOf${at}`;
    if (["items", "allOf", "anyOf", "oneOf", "additionalProperties"].includes(name)) {
      yield* hintsWithin(value, `${path}/${name}`);
    }
    if (name === "properties" && isPlainObject(value)) {
      for (const [member, inner] of Object.entries(value)) yield* hintsWithin(inner, `${path}/${member}`);
    }
  }
}
