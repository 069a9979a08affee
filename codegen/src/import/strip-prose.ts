import { isPlainObject, type SchemaDocument } from "../model/schema-document.ts";

/** Keywords whose values are maps from free names to schemas. */
const maps: readonly string[] = ["$defs", "properties", "patternProperties", "dependentSchemas"];
/** Keywords whose values are data, not schemas. */
const data: readonly string[] = ["const", "default", "enum", "examples", "required"];

/**
 * Drops the `description` of every schema in a document and keeps all else, in its order.
 *
 * Members, definitions and data that are called `description` are structure, and stay.
 */
export function stripProse(document: SchemaDocument): SchemaDocument {
  return stripSchema(document) as SchemaDocument;
}

function stripSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(stripSchema);
  if (!isPlainObject(schema)) return schema;
  return mapValues(schema, (value, keyword) => {
    if (keyword === "description") return undefined;
    if (data.includes(keyword)) return value;
    if (maps.includes(keyword) && isPlainObject(value)) return mapValues(value, stripSchema);
    return stripSchema(value);
  });
}

function mapValues(object: Record<string, unknown>, change: (value: unknown, key: string) => unknown): unknown {
  const entries = Object.entries(object).map(([key, value]) => [key, change(value, key)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The text of a schema file: two spaces, a newline at the end, the document's own order. */
export function formatDocument(document: SchemaDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
