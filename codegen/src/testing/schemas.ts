import { readFileSync } from "node:fs";
import { parseSchemaDocument, type SchemaDocument } from "../model/schema-document.ts";

/** The four schemas of the protocol, by the subpath under which packages have them. */
const schemaFiles = {
  v1: "schema/v1/schema.json",
  "v1/unstable": "schema/v1/schema.unstable.json",
  v2: "schema/v2/schema.json",
  "v2/unstable": "schema/v2/schema.unstable.json",
} as const;

/** Which of the four schemas. */
export type SchemaName = keyof typeof schemaFiles;

/** The names of the four schemas, for `test.each`. */
export const schemaNames: readonly SchemaName[] = ["v1", "v1/unstable", "v2", "v2/unstable"];

/** Reads one of the repository's schemas, as it stands. */
export function readSchema(name: SchemaName): SchemaDocument {
  const file = new URL(`../../../${schemaFiles[name]}`, import.meta.url);
  return parseSchemaDocument(readFileSync(file, "utf8"), schemaFiles[name]);
}

/** The same, as receivers read it: with the members that the rules beside it have them tolerate. */
export function readReceivedSchema(name: SchemaName): SchemaDocument {
  const document = readSchema(name);
  const $defs = { ...document.$defs };
  for (const place of ruleList(name, "tolerated")) {
    const [owner = "", member = ""] = place.split(".");
    const definition = $defs[owner];
    const schema = definition?.properties?.[member];
    if (definition === undefined || schema === undefined) throw new Error(`${name} has no member ${place}`);
    const tolerated = { ...schema, "x-deserialize-default-on-error": true };
    $defs[owner] = { ...definition, properties: { ...definition.properties, [member]: tolerated } };
  }
  return { ...document, $defs };
}

/** The unions of a schema that the rules beside it keep open for a receiver. */
export function openUnions(name: SchemaName): readonly string[] {
  return ruleList(name, "openUnions");
}

/** A list in the rules of a version; none if it is not there. */
function ruleList(name: SchemaName, list: string): readonly string[] {
  const file = new URL(`../../../schema/${name.slice(0, 2)}/rules.json`, import.meta.url);
  const rules: unknown = JSON.parse(readFileSync(file, "utf8"));
  const entries: unknown = typeof rules === "object" && rules !== null ? (Reflect.get(rules, list) ?? []) : undefined;
  if (!Array.isArray(entries)) throw new Error(`${list} in ${file.pathname} is no list`);
  return entries.map(String);
}
