import { readdirSync, readFileSync } from "node:fs";
import { parseSchemaDocument, type SchemaDocument } from "../model/schema-document.ts";

const folder = new URL("./forms/", import.meta.url);

/** The forms that a schema can have, each with a small schema of its own: the names of the files in `forms/`. */
export const formNames: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .map((file) => file.slice(0, -".json".length))
  .toSorted();

/** Reads the schema of a form, as it stands. The `examples` of its definitions are valid. */
export function readForm(name: string): SchemaDocument {
  return parseSchemaDocument(readFileSync(new URL(`${name}.json`, folder), "utf8"), `${name}.json`);
}
