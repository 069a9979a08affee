import { diffDocuments } from "../diff/diff-documents.ts";
import { formatChanges } from "../diff/format-changes.ts";
import { parseSchemaDocument, type SchemaDocument, SchemaError } from "../model/schema-document.ts";
import { readIfPresent } from "../read-if-present.ts";
import { formatDocument, stripProse } from "./strip-prose.ts";
import { reasonOf } from "../reason-of.ts";

/** A schema file of upstream, and ours that takes over its structure. */
export interface SchemaImport {
  readonly upstream: string;
  readonly ours: string;
  /** What the file is called in what is said about it. */
  readonly name: string;
}

/** The structure of an upstream schema. No file has it yet. */
export interface ImportedSchema {
  readonly file: SchemaImport;
  readonly document: SchemaDocument;
  readonly text: string;
  /** Whether the file that it replaces says the same already. */
  readonly isSame: boolean;
  /** What is different, for people. */
  readonly changes: string;
}

/**
 * Reads an upstream schema, drops its prose, and compares it with the file that it replaces. Writes nothing.
 *
 * @throws SchemaError naming the file that cannot be read.
 */
export async function readImport(file: SchemaImport): Promise<ImportedSchema> {
  const source = await readText(file.upstream);
  if (source === undefined) throw new SchemaError(`there is no file ${file.upstream}`);
  const document = stripProse(parseSchemaDocument(source, file.upstream));
  const text = formatDocument(document);
  const previous = await readText(file.ours);
  if (previous === undefined) {
    const changes = `${file.name} is new: ${Object.keys(document.$defs).length} definitions.\n`;
    return { file, document, text, isSame: false, changes };
  }
  const changes = diffDocuments(parseSchemaDocument(previous, file.ours), document);
  // Git may have given it the line ends of Windows.
  const isSame = previous.replaceAll("\r\n", "\n") === text;
  // The diff is about what bindings are made from.
  const isElsewhere = changes.length === 0 && !isSame;
  const told = isElsewhere ? "Only the order or the message frame changed.\n" : formatChanges(changes);
  return { file, document, text, isSame, changes: told };
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readIfPresent(path);
  } catch (cause) {
    throw new SchemaError(`cannot read ${path}: ${reasonOf(cause)}`, { cause });
  }
}
