import { type JsonSchema, SchemaError } from "../model/schema-document.ts";
import { readFileModel, type SchemaFile } from "../model/schema-file.ts";

/**
 * Reads a schema to its end, whatever is wrong with parts of it. A reader stops after the first kind of problem; here
 * the definitions that have one are set aside, and the rest is read again.
 *
 * @returns The problems, a line each.
 */
export function findSchemaProblems({ path, document, strict }: SchemaFile): readonly string[] {
  const lines = new Set<string>();
  let rest = document;
  for (;;) {
    const found = problemsOf({ path, document: rest, ...(strict !== undefined && { strict }) });
    for (const line of found) lines.add(line);
    const broken = found
      .flatMap((line) => /: Definition (\S+?)(?: at |: )/.exec(line)?.[1] ?? [])
      .filter((name) => Object.hasOwn(rest.$defs, name) && !isSetAside(rest.$defs[name]!));
    if (broken.length === 0) break;
    const aside = broken.map((name) => [name, setAside(rest.$defs[name]!)]);
    rest = { ...rest, $defs: { ...rest.$defs, ...Object.fromEntries(aside) } };
  }
  return [...lines];
}

function problemsOf(file: SchemaFile): readonly string[] {
  try {
    readFileModel(file);
    return [];
  } catch (error) {
    if (error instanceof SchemaError) return error.message.split("\n");
    throw error;
  }
}

const kept = ["x-method", "x-side"] as const;

/** An object of which nothing is known, but that it is the params or the result of a method. */
function setAside(schema: JsonSchema): JsonSchema {
  const marks = kept.flatMap((mark) => (schema[mark] === undefined ? [] : [[mark, schema[mark]]]));
  return { type: "object", ...Object.fromEntries(marks) };
}

function isSetAside(schema: JsonSchema): boolean {
  const keywords = Object.keys(schema).filter((keyword) => !keyword.startsWith("x-"));
  return schema.type === "object" && keywords.length === 1;
}
