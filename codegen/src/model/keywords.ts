import type { Place } from "./place.ts";
import { isPlainObject } from "./schema-document.ts";

/** Keywords that say something about a schema without changing what it accepts. */
export const annotations: readonly string[] = [
  "title",
  "description",
  "deprecated",
  "examples",
  "readOnly",
  "writeOnly",
  "$comment",
];

/** A schema's keywords, as a record to look into. */
export type Keywords = Readonly<Record<string, unknown>>;

/** Narrows a schema to its keywords; boolean schemas have none. */
export function keywordsOf(schema: unknown, place: Place): Keywords {
  if (!isPlainObject(schema)) throw place.unsupported("expected a schema object");
  return schema;
}

/** What the schema calls this alternative, when it does. */
export function titleOf(schema: Keywords): { title?: string; docs?: string } {
  const { title, description, deprecated } = schema;
  const docs = [description, deprecated === true ? "Deprecated." : undefined].filter(
    (part) => typeof part === "string",
  );
  return {
    ...(typeof title === "string" && { title }),
    ...(docs.length > 0 && { docs: docs.join("\n\n") }),
  };
}
