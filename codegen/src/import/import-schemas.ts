import { parseSchemaDocument, SchemaError } from "../model/schema-document.ts";
import { Problems } from "../model/problems.ts";
import { readIfPresent, writeWhole } from "../pipeline/output.ts";
import { diffDocuments, formatChanges } from "./diff-documents.ts";
import { formatDocument, stripProse } from "./strip-prose.ts";

/** A schema file of upstream, and ours that takes over its structure. */
export interface SchemaImport {
  readonly upstream: string;
  readonly ours: string;
  /** What the file is called in what is said about it. */
  readonly name: string;
}

/**
 * Takes over the structure of upstream schemas: all of them, or none when one cannot be read.
 *
 * @returns What changed, by the name of the file. Files that are as they would be written stay untouched.
 * @throws SchemaError with a line for each file that cannot be read; then nothing was written.
 */
export async function importSchemas(files: readonly SchemaImport[]): Promise<ReadonlyMap<string, string>> {
  const problems = new Problems();
  const taken: Taken[] = [];
  for (const file of files) {
    const read = await problems.collectFrom(takeOver(file));
    if (read !== undefined) taken.push(read);
  }
  problems.throwAll();
  for (const { file, text, isSame } of taken) if (!isSame) await writeWhole(file.ours, text);
  return new Map(taken.map(({ file, changes }) => [file.name, changes]));
}

interface Taken {
  readonly file: SchemaImport;
  readonly text: string;
  readonly isSame: boolean;
  readonly changes: string;
}

async function takeOver(file: SchemaImport): Promise<Taken> {
  const source = await readText(file.upstream);
  if (source === undefined) throw new SchemaError(`there is no file ${file.upstream}`);
  const upstream = stripProse(parseSchemaDocument(source, file.upstream));
  const text = formatDocument(upstream);
  const previous = await readText(file.ours);
  if (previous === undefined) {
    const changes = `${file.name} is new: ${Object.keys(upstream.$defs).length} definitions.\n`;
    return { file, text, isSame: false, changes };
  }
  const changes = diffDocuments(parseSchemaDocument(previous, file.ours), upstream);
  // Git may have given it the line ends of Windows.
  const isSame = previous.replaceAll("\r\n", "\n") === text;
  // The diff is about what bindings are made from.
  const isElsewhere = changes.length === 0 && !isSame;
  const told = isElsewhere ? "Only the order or the message frame changed.\n" : formatChanges(changes);
  return { file, text, isSame, changes: told };
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readIfPresent(path);
  } catch (cause) {
    throw new SchemaError(`cannot read ${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
