import type { NamedSchema, NamedType } from "./name-types.ts";

/** A type as TypeScript. */
export function emitType({ name, description, schema }: NamedType): string {
  const comment = description === "" ? "" : `/** ${description.replaceAll("*/", "* /")} */\n`;
  if (!("object" in schema)) return `${comment}export type ${name} = ${typeText(schema)};\n`;
  const members = schema.object.map(
    (member) => `  ${memberName(member.name)}${member.optional ? "?" : ""}: ${typeText(member.schema)};\n`,
  );
  return `${comment}export interface ${name} {\n${members.join("")}}\n`;
}

/** The name of a member, in quotes if it needs them; `__proto__` has to be computed to be a plain one. */
export function memberName(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name);
}

function typeText(schema: NamedSchema): string {
  if ("ref" in schema) return schema.ref;
  if ("map" in schema) return `Record<string, ${typeText(schema.map)}>`;
  if ("array" in schema) {
    const item = typeText(schema.array);
    return item.includes("|") ? `(${item})[]` : `${item}[]`;
  }
  if ("union" in schema) return [...new Set(schema.union.map(typeText))].toSorted(nullLast).join(" | ");
  // Only the outermost type of a name has members.
  if ("object" in schema) return "object";
  return schema.primitive === "integer" ? "number" : schema.primitive;
}

function nullLast(a: string, b: string): number {
  return Number(a === "null") - Number(b === "null") || (a < b ? -1 : Number(a > b));
}

/** A type as JSON Schema, for `$defs`. */
export function emitSchema({ description, schema, marks }: NamedType): object {
  return { ...(description === "" ? {} : { description }), ...schemaJson(schema), ...marks };
}

function schemaJson(schema: NamedSchema): object {
  if ("ref" in schema) return { $ref: `#/$defs/${schema.ref}` };
  if ("map" in schema) return { type: "object", additionalProperties: schemaJson(schema.map) };
  if ("array" in schema) return { type: "array", items: schemaJson(schema.array) };
  if ("union" in schema) return { anyOf: schema.union.map(schemaJson) };
  if ("primitive" in schema) return schema.primitive === "unknown" ? {} : { type: schema.primitive };
  const required = schema.object.filter(({ optional }) => !optional).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(schema.object.map((member) => [member.name, schemaJson(member.schema)])),
    ...(required.length > 0 ? { required } : {}),
  };
}
